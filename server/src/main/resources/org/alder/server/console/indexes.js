// The indexes of each suffix, what they are used for, and those that searches lacked.

import {count, make, number, table, value, values, visible} from "./page.js";
import {attempt, call, notice, problem, search, show} from "./session.js";

/** How often it is looked how far a build is. */
const LOOK_MILLIS = 2000;
const KINDS = ["eq", "sub", "pres"];

/** The attribute, the kinds and the options of a line of the configuration's key index. */
function lineOf(text) {
  const words = text.split(/\s+/);
  return {text, attribute: words[0], kinds: (words[1] || "").toLowerCase().split(","), options: words.slice(2)};
}

const textOf = (attribute, kinds, options) => [attribute, KINDS.filter(kind => kinds.includes(kind)).join(","), ...options].join(" ");

/** What is to become of an index: the line that is there is deleted, so that nothing becomes of it if another one has changed that meanwhile. */
function changes(lines, attribute, kinds) {
  const old = lines.find(line => line.attribute.toLowerCase() === attribute.toLowerCase());
  const added = old ? textOf(old.attribute, [...old.kinds, ...kinds], old.options) : textOf(attribute, kinds, []);
  return [...(old ? [{kind: "delete", attribute: "index", value: old.text}] : []), {kind: "add", attribute: "index", value: added}];
}

/** Figures such as "uid 17", by the first word in small letters. */
const byName = (entry, name) => new Map(values(entry, name).map(text => text.split(" ")).map(([first, ...rest]) => [first.toLowerCase(), rest.join(" ")]));

function build(figures) {
  const names = values(figures, "alderIndexBuild");
  if (!names.length && !value(figures, "alderIndexBuildPhase")) {
    return null;
  }
  const total = number(figures, "alderIndexBuildTotal");
  const left = value(figures, "alderIndexBuildSecondsLeft");
  return make("p", {class: "build"}, "Being built: ", visible(names.join(", ")), ". ", visible(value(figures, "alderIndexBuildPhase")), ": ",
    count(number(figures, "alderIndexBuildDone")), total ? " of " + count(total) : "", left ? ", about " + count(Number(left)) + " s left" : "",
    value(figures, "alderIndexBuildFailure") ? make("span", {class: "odd"}, " ", visible(value(figures, "alderIndexBuildFailure"))) : null);
}

/** The form by which an index is added. */
function adding(add) {
  const attribute = make("input", {class: "attribute", spellcheck: "false", required: true});
  const kinds = KINDS.map(kind => make("input", {type: "checkbox", checked: kind === "eq", "data-kind": kind}));
  return make("form", {class: "row", submit: event => {
    event.preventDefault();
    add(attribute.value.trim(), kinds.filter(each => each.checked).map(each => each.getAttribute("data-kind")));
  }}, make("label", {}, "Attribute ", attribute), kinds.map((each, i) => make("label", {}, each, " " + KINDS[i])), make("button", {type: "submit", class: "add"}, "Add index"));
}

function partition(configured, figures, missing, modify) {
  const lines = configured.index.map(lineOf).filter(line => line.kinds[0]);
  const served = byName(figures, "alderIndex");
  const uses = byName(figures, "alderIndexSearches");
  const shown = new Map(lines.map(line => [line.attribute.toLowerCase(), line]));
  const state = line => {
    const now = served.get(line.attribute.toLowerCase());
    return served.size === 0 ? "" : now === undefined ? "from the next start on" : now.endsWith(" building") ? "being built" : "complete";
  };
  const add = (attribute, kinds) => modify(changes(lines, attribute, kinds));
  return make("section", {class: "partition"}, make("h2", {}, visible(configured.suffix[0])), build(figures),
    table(["attribute", "kinds", "options", "state", "searches", ""], [...shown.values()].map(line => [visible(line.attribute), line.kinds.join(", "), visible(line.options.join(" ")),
      state(line), uses.has(line.attribute.toLowerCase()) ? count(Number(uses.get(line.attribute.toLowerCase()))) : uses.size ? "0" : "",
      [make("button", {type: "button", class: "remove", click: () => modify([{kind: "delete", attribute: "index", value: line.text}])}, "remove"),
        served.size ? make("button", {type: "button", class: "rebuild", click: () => modify([{kind: "add", attribute: "alderIndexRebuild", value: line.attribute}])}, "rebuild") : null]]), 4),
    adding(add),
    missing.length === 0 ? null : [make("h3", {}, "Searches lacked"), make("div", {class: "missing"}, table(["index", "searches", "slow", "seconds", "examined", "returned", ""], missing.map(each => {
      const wanted = lineOf(value(each, "alderIndexToAdd"));
      return [visible(wanted.text), count(number(each, "alderSearches")), count(number(each, "alderSlow")), (number(each, "alderLatencyMicros") / 1e6).toFixed(1),
        count(number(each, "alderExaminedEntries")), count(number(each, "alderReturnedEntries")),
        make("button", {type: "button", class: "addMissing", click: () => add(wanted.attribute, wanted.kinds)}, "add")];
    }), 1))]);
}

/** @param follow has something done when the page is left */
export async function indexes(follow) {
  let timer = 0;
  let open = true;
  follow(() => { open = false; clearTimeout(timer); });
  const look = async said => {
    clearTimeout(timer);
    const configured = (await call("indexes")).partitions;
    const figures = await search({base: "cn=Monitor", scope: "one", filter: "(objectClass=alderPartitionMonitor)", attributes: ["*"]});
    const missing = await search({base: "cn=unindexed,cn=Monitor", scope: "one", attributes: ["*"]});
    if (!open) {
      return;
    }
    notice(said);
    const same = (one, other) => one.toLowerCase() === other.toLowerCase();
    show(configured.map(each => {
      const suffix = each.suffix[0];
      const ofIt = figures.entries.find(entry => same(value(entry, "alderSuffix"), suffix)) || {attributes: []};
      return partition(each, ofIt, missing.entries.filter(entry => same(value(entry, "alderSuffix"), suffix)).sort((a, b) => number(b, "alderLatencyMicros") - number(a, "alderLatencyMicros")),
        asked => attempt(async () => {
          const result = await call("modify", {dn: each.dn, changes: asked});
          await look(problem(result) || result.message);
        }));
    }));
    if (figures.entries.some(entry => values(entry, "alderIndexBuild").length)) {
      timer = setTimeout(() => attempt(() => look(said)), LOOK_MILLIS);
    }
  };
  await look("");
}
