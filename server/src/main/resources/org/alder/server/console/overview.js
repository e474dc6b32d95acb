// What the overview shows, made of samples of the server's figures.

import {bytes, count, draw, make, millis, number, rate, table, time, value, values, visible} from "./page.js";

/** How often a sample is taken. */
export const POLL_MILLIS = 2000;
/** How many are kept. */
const SAMPLES = 150;
/** Over how many samples rates and latencies are taken. */
const WINDOW = 5;

const samples = [];
let plotted = "search";

function sampleOf(entries) {
  const kinds = new Map();
  for (const entry of entries.filter(each => each.dn.endsWith(",cn=operations,cn=Monitor"))) {
    const latency = values(entry, "alderLatency").map(text => text.split(" ")).map(([bound, n]) => [bound === "more" ? Infinity : Number(bound), Number(n)])
      .sort((a, b) => a[0] - b[0]);
    const results = values(entry, "alderResults").map(text => text.split(" ")).map(([name, n]) => [name, Number(n)]);
    kinds.set(value(entry, "cn"), {latency, total: latency.reduce((sum, each) => sum + each[1], 0), slow: number(entry, "alderSlow"),
      failed: results.filter(([name]) => !["success", "compareTrue", "compareFalse"].includes(name)).reduce((sum, each) => sum + each[1], 0)});
  }
  return {time: performance.now(), kinds};
}

const rateOf = (before, now, kind) => !before || !before.kinds.has(kind) ? 0
  : (now.kinds.get(kind).total - before.kinds.get(kind).total) * 1000 / (now.time - before.time);

/** Below how many milliseconds this part of the operations between two samples stayed; null if there were none. */
function quantile(before, now, kind, part) {
  if (!before || !before.kinds.has(kind) || !now.kinds.has(kind)) {
    return null;
  }
  const old = new Map(before.kinds.get(kind).latency);
  const counts = now.kinds.get(kind).latency.map(([bound, n]) => [bound, n - (old.get(bound) || 0)]);
  const all = counts.reduce((sum, each) => sum + each[1], 0);
  let below = 0;
  let from = 0;
  for (const [bound, n] of counts) {
    if (n > 0 && below + n >= all * part) {
      return bound === Infinity ? Infinity : (from + (bound - from) * (all * part - below) / n) / 1000;
    }
    below += n;
    from = bound;
  }
  return null;
}

const before = i => samples[Math.max(0, i - WINDOW)];

/** @param lines of a name, a class, and points, null where there is none */
function plot(title, unit, lines) {
  const width = 560, height = 240, left = 52, bottom = 20, top = 10;
  const svg = draw("svg", {class: "plot", viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": title});
  const all = lines.flatMap(line => line.points).filter(point => point !== null && point !== Infinity);
  const most = Math.max(...all, 0);
  const step = most > 0 ? 10 ** Math.floor(Math.log10(most)) : 1;
  const end = most > 0 ? Math.ceil(most / step * 1.05) * step : 1;
  const y = point => top + (height - top - bottom) * (1 - Math.min(point, end) / end);
  const x = i => left + (width - left - 8) * (SAMPLES - samples.length + i) / (SAMPLES - 1);
  for (let i = 0; i <= 4; i++) {
    const at = end * i / 4;
    svg.append(draw("line", {class: "grid", x1: left, x2: width - 8, y1: y(at), y2: y(at)}),
      draw("text", {x: left - 6, y: y(at) + 4, "text-anchor": "end"}, at >= 10 || at === 0 ? count(at) : String(Number(at.toPrecision(2)))));
  }
  svg.append(draw("text", {x: left, y: height - 4}, SAMPLES * POLL_MILLIS / 60000 + " minutes ago"),
    draw("text", {x: width - 8, y: height - 4, "text-anchor": "end"}, "now, " + unit));
  for (const line of lines) {
    let path = "";
    let pen = "M";
    line.points.forEach((point, i) => {
      if (point === null) {
        pen = "M";
      } else {
        path += pen + x(i).toFixed(1) + " " + y(point).toFixed(1);
        pen = "L";
      }
    });
    if (path) {
      svg.append(draw("path", {class: line.kind, d: path}));
    }
  }
  return make("section", {}, make("h2", {}, title), svg,
    make("p", {class: "legend"}, lines.map(line => make("span", {class: line.kind}, line.name))));
}

function plots() {
  const last = samples[samples.length - 1];
  const kinds = [...last.kinds.keys()];
  const rates = kinds.map((kind, i) => ({name: kind, kind: "kind" + i % 8, points: samples.map((now, at) => at === 0 ? null : rateOf(before(at), now, kind))}))
    .filter(line => line.name === "search" || line.points.some(point => point > 0));
  const quantiles = [[0.5, "p50"], [0.99, "p99"]].map(([part, name], i) => ({name, kind: "kind" + i,
    points: samples.map((now, at) => at === 0 ? null : quantile(before(at), now, plotted, part))}));
  const choice = make("select", {id: "plotted", "aria-label": "kind of operation", change: event => { plotted = event.target.value; event.target.blur(); }},
    kinds.map(kind => make("option", {value: kind, selected: kind === plotted}, kind)));
  const latency = plot("Latency", "milliseconds", quantiles);
  latency.firstChild.append(" of ", choice);
  return make("div", {class: "plots"}, plot("Operations per second", "per second", rates), latency);
}

function operations() {
  const last = samples[samples.length - 1];
  const old = before(samples.length - 1);
  return [make("h2", {}, "Operations"), table(["", "per second", "p50", "p99", "in all", "failed", "slow"],
    [...last.kinds].map(([kind, figures]) => [kind, rate(samples.length > 1 ? rateOf(old, last, kind) : 0), millis(quantile(old, last, kind, 0.5)),
      millis(quantile(old, last, kind, 0.99)), count(figures.total), count(figures.failed), count(figures.slow)]))];
}

function facts(title, rows) {
  return make("section", {}, make("h2", {}, title), table(["", ""], rows.filter(row => row[1] !== ""), 1));
}

function serverFacts(entries) {
  const of = dn => entries.find(each => each.dn === dn) || {attributes: []};
  const root = of("cn=Monitor");
  const connections = of("cn=connections,cn=Monitor");
  const memory = of("cn=operationBytes,cn=memory,cn=Monitor");
  return [facts("Server", [
    ["started", time(value(root, "alderStartTime"))],
    ["takes new work", value(root, "alderReady") === "TRUE" ? "yes" : "no: " + values(root, "alderOverload").join("; ")],
    ["heap", bytes(number(root, "alderHeapBytes")) + " of " + bytes(number(root, "alderHeapLimitBytes"))],
    ["held for clients", bytes(number(memory, "alderHeldBytes"))],
    ["threads", count(number(root, "alderThreads"))],
    ["waiting for workers", count(number(of("cn=workers,cn=Monitor"), "alderWaitingTasks"))],
    ["passwords waiting", count(number(of("cn=passwords,cn=Monitor"), "alderWaitingTasks"))],
    ["audit events lost", value(of("cn=audit,cn=Monitor"), "alderAuditEventsLost")],
  ]), facts("Connections", [
    ["open", count(number(connections, "alderConnections")) + " of " + count(number(connections, "alderConnectionLimit"))],
    ["before bind", count(number(connections, "alderConnectionsBeforeBind"))],
    ["accepted", count(number(connections, "alderConnectionsAccepted"))],
    ["refused", count(number(connections, "alderConnectionsRefused"))],
    ["received", bytes(number(connections, "alderReadBytes"))],
    ["sent", bytes(number(connections, "alderWrittenBytes"))],
    ["furthest behind", values(connections, "alderFollowerLagMillis").map(each => each.split(" ")).filter(each => Number(each[1]) > 0)
      .sort((a, b) => b[1] - a[1]).slice(0, 3).map(([client, millis]) => visible(client) + " " + (millis / 1000).toFixed(1) + " s").join(", ")],
    ["TLS handshakes", count(number(connections, "alderTlsHandshakes"))],
  ])];
}

function partitionFacts(entries) {
  return entries.filter(each => /^cn=partition-\d+,cn=Monitor$/.test(each.dn)).map(each => make("section", {},
    facts(value(each, "alderSuffix"), [
      ["entries", count(number(each, "alderEntries"))],
      ["takes updates", value(each, "alderWritable") === "FALSE" ? "no" : "yes"],
      ["transactions, log syncs", count(number(each, "alderTransactions")) + ", " + count(number(each, "alderLogSyncs"))],
      ["log, disk", bytes(number(each, "alderLogBytes")) + ", " + bytes(number(each, "alderDiskBytes"))],
      ["free on the disk", value(each, "alderFreeDiskBytes") && bytes(number(each, "alderFreeDiskBytes"))],
      ["memory layer", bytes(number(each, "alderMemoryLayerBytes")) + ", " + count(number(each, "alderFrozenLayers")) + " to be flushed"],
      ["segments", count(number(each, "alderSegments")) + ", " + count(number(each, "alderSurplusSegments")) + " too many"],
      ["flushes", count(number(each, "alderFlushes"))],
      ["merges", count(number(each, "alderMerges")) + ", " + bytes(number(each, "alderMergedBytes"))
        + (value(each, "alderMergeRunning") === "TRUE" ? ", one is running" : "")],
      ["delay of writers", count(number(each, "alderWriterDelayMicros")) + " µs"],
    ]), caches(entries, each)));
}

function caches(entries, partition) {
  const found = entries.filter(each => each.dn.endsWith("," + partition.dn));
  return found.length === 0 ? null : table(["cache", "size", "limit", "hits"], found.map(each => {
    const hits = number(each, "alderCacheHits");
    const all = hits + number(each, "alderCacheMisses");
    return [value(each, "cn"), bytes(number(each, "alderCacheBytes")), bytes(number(each, "alderCacheLimitBytes")),
      all === 0 ? "" : (100 * hits / all).toFixed(1) + " %"];
  }));
}

function missing(entries) {
  const found = entries.filter(each => each.dn.endsWith(",cn=unindexed,cn=Monitor"));
  return found.length === 0 ? null : [make("h2", {}, "Searches that lacked an index"), table(["suffix", "index to add", "searches", "slow", "examined"],
    found.map(each => [visible(value(each, "alderSuffix")), visible(value(each, "alderIndexToAdd")), count(number(each, "alderSearches")),
      count(number(each, "alderSlow")), count(number(each, "alderExaminedEntries"))]), 2)];
}

/** What was sampled so far is nobody's any more. */
export function forget() {
  samples.length = 0;
}

/** Takes a sample of the figures, and makes what is shown of it and those before; null while somebody chooses on the page. */
export function overviewOf(entries) {
  samples.push(sampleOf(entries));
  samples.splice(0, Math.max(0, samples.length - SAMPLES));
  return document.activeElement && document.activeElement.id === "plotted" ? null
    : [plots(), operations(), make("div", {class: "columns"}, serverFacts(entries), partitionFacts(entries)), missing(entries)];
}
