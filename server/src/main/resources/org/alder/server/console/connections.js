// Who is connected, and what is being done for whom.

import {bytes, count, make, number, table, time, value, visible} from "./page.js";
import {attempt, call, notice, problem, search, show, state} from "./session.js";

const PAGE = 200;

/** Where an entry below cn=connections,cn=Monitor has its connection's number. */
const connectionOf = entry => Number(/(?:^|,)cn=(\d+),cn=connections,cn=Monitor$/.exec(entry.dn)[1]);

/** Asks for an end of something, and looks anew. */
const end = (name, asked) => attempt(async () => {
  const result = await call(name, asked);
  await connections();
  notice(problem(result));
});

/** What was asked for, in the words of a search where it is one. */
function request(entry) {
  let asked;
  try {
    asked = JSON.parse(value(entry, "alderRequest") || "{}");
  } catch (e) {
    return visible(value(entry, "alderRequest"));
  }
  const {target, scope, filter, ...others} = asked;
  return [make("div", {}, visible(target || ""), scope ? make("span", {class: "faint"}, " " + scope) : null), filter ? make("div", {class: "value"}, visible(filter)) : null,
    Object.keys(others).length ? make("div", {class: "faint value"}, visible(JSON.stringify(others))) : null];
}

function duration(micros) {
  return micros < 1e6 ? (micros / 1e3).toFixed(1) + " ms" : micros < 6e7 ? (micros / 1e6).toFixed(1) + " s" : count(micros / 6e7) + " min";
}

/** Whether it waits for its turn, or how far it is behind. */
function standing(entry) {
  if (value(entry, "alderOperationState") === "waiting") {
    return ", waiting";
  }
  const lag = number(entry, "alderLagMillis");
  return value(entry, "alderFollowed") !== "TRUE" ? "" : ", told changes"
    + (lag > 0 ? ", " + duration(1000 * lag) + " and " + count(number(entry, "alderLagChanges")) + " changes behind" : "");
}

function requests(told) {
  // What looks at them is none of them.
  const others = told.entries.filter(entry => connectionOf(entry) !== state.session.connection).sort((a, b) => number(b, "alderRunningMicros") - number(a, "alderRunningMicros"));
  return [make("h2", {}, "Running requests"), others.length === 0 ? make("p", {class: "faint"}, "None at the moment.")
    : make("div", {id: "requests"}, table(["connection", "message", "kind", "who", "asked for", "for", ""], others.map(entry => [String(connectionOf(entry)), value(entry, "cn"),
      value(entry, "alderOperationKind") + standing(entry),
      visible(value(entry, "alderAuthorizationIdentity") || "anonymous"), request(entry), duration(number(entry, "alderRunningMicros")),
      value(entry, "alderOperationKind") === "search" ? make("button", {type: "button", class: "end",
        click: () => end("cancel", {connection: connectionOf(entry), message: number(entry, "cn")})}, "cancel") : ""]), 5)),
    told.cookie ? make("p", {class: "faint"}, "There are more than " + PAGE + ".") : null];
}

export async function connections(cookie = "") {
  const running = await search({base: "cn=connections,cn=Monitor", scope: "sub", filter: "(objectClass=alderOperation)", attributes: ["*"], paged: true, entries: PAGE});
  const told = await search({base: "cn=connections,cn=Monitor", scope: "one", attributes: ["*"], paged: true, entries: PAGE, cookie});
  notice(problem(told));
  show(make("p", {class: "row"}, make("button", {type: "button", id: "refresh", click: () => attempt(() => connections(cookie))}, "look anew")), requests(running),
    make("h2", {}, "Connections"), table(["number", "client", "who", "how", "TLS", "since", "last", "operations", "memory", ""], told.entries.map(entry => {
      const id = number(entry, "cn");
      return [String(id), visible(value(entry, "alderClient")), visible(value(entry, "alderAuthorizationIdentity") || "anonymous"), visible(value(entry, "alderMechanism")),
        visible(value(entry, "alderTls").split(" ")[0]), time(value(entry, "alderStartTime")), visible(value(entry, "alderLastOperation")),
        count(number(entry, "alderOperations")), bytes(number(entry, "alderHeldBytes")),
        id === state.session.connection ? make("span", {class: "faint"}, "this page") : make("button", {type: "button", click: () => end("close", {connection: id})}, "close")];
    }), 7), told.cookie ? make("button", {type: "button", click: () => attempt(() => connections(told.cookie))}, "next page") : null);
}
