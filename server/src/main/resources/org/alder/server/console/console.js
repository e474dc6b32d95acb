// The console: who is logged in, what is asked of the server, and its pages.

import {ODD, bytes, count, fill, make, number, table, time, value, values, visible} from "./page.js";
import {POLL_MILLIS, forget, overviewOf} from "./overview.js";

/** Entries of a level of the tree that are asked for at once. */
const PAGE = 50;

const byId = id => document.getElementById(id);
const main = byId("main");
let session = null;
let suffixes = [];
let leavePage = () => {};

function show(...children) {
  main.replaceChildren();
  return fill(main, children);
}

function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").replaceChildren();
  fill(byId("notice"), visible(text || ""));
}

// --- calls

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function call(name, asked = {}) {
  const answer = await fetch("/console/api/" + name, {
    method: "POST",
    headers: {"Content-Type": "application/json", "X-Alder-Csrf": session ? session.csrf : "none"},
    body: JSON.stringify(asked),
  }).catch(() => { throw new Refusal(0, "the server does not answer"); });
  const told = await answer.json().catch(() => ({error: "the server's answer is not what the console expects"}));
  if (!answer.ok) {
    throw new Refusal(answer.status, told.error);
  }
  return told;
}

const search = asked => call("search", asked);

/** Runs what a person asked for, and says what went wrong. */
async function attempt(action) {
  try {
    notice("");
    return await action();
  } catch (e) {
    if (e instanceof Refusal && e.status === 401) {
      ended(e.message);
    } else if (e instanceof Refusal) {
      notice(e.message);
    } else {
      throw e;
    }
  }
}

function problem(told) {
  return told.code === 0 ? "" : told.result + (told.message ? ": " + told.message : "");
}

// --- login

function ended(why) {
  session = null;
  forget();
  treeList = null;
  asked = {...ASKED};
  leavePage();
  leavePage = () => {};
  show();
  notice(why);
  byId("login").hidden = false;
  byId("who").hidden = true;
  byId("pages").hidden = true;
  byId("dn").focus();
}

async function began(facts) {
  session = facts;
  byId("login").hidden = true;
  byId("password").value = "";
  byId("identity").replaceChildren();
  fill(byId("identity"), visible(facts.identity));
  byId("who").hidden = false;
  byId("pages").hidden = false;
  const root = await search({base: "", scope: "base", attributes: ["namingContexts"]});
  suffixes = root.entries.length ? values(root.entries[0], "namingContexts") : [];
  await route();
}

byId("login").addEventListener("submit", event => {
  event.preventDefault();
  attempt(async () => {
    const asked = {dn: byId("dn").value, password: byId("password").value};
    byId("password").value = "";
    try {
      await began(await call("login", asked));
    } catch (e) {
      if (!session && e instanceof Refusal) {
        notice(e.message);
      } else {
        throw e;
      }
    }
  });
});

byId("logout").addEventListener("click", () => attempt(async () => {
  await call("logout");
  // A page that begins anew has nothing of this one.
  location.replace("/console/");
}));

// --- entries

const entryLink = (dn, text = dn) => make("a", {href: "#entry/" + encodeURIComponent(dn)}, visible(text || "root"));

const isEntry = text => suffixes.some(suffix => text.toLowerCase() === suffix.toLowerCase()
  || text.toLowerCase().endsWith("," + suffix.toLowerCase()));

function shownValue(value) {
  if (value.hidden !== undefined) {
    return make("span", {class: "faint"}, "hidden, " + value.hidden + " octets");
  } else if (value.text !== undefined) {
    return [isEntry(value.text) ? entryLink(value.text) : make("span", {class: "value"}, visible(value.text)),
      value.bytes ? make("span", {class: "faint"}, " … of " + count(value.bytes) + " octets") : null];
  }
  return make("span", {class: "faint"}, count(value.bytes) + " octets: " + value.base64);
}

// --- overview

async function overview() {
  let timer = 0;
  let open = true;
  leavePage = () => { open = false; clearTimeout(timer); };
  const look = async () => {
    try {
      if (!document.hidden) {
        const entries = (await call("figures")).entries;
        if (!open) {
          return;
        }
        notice("");
        const parts = overviewOf(entries);
        if (parts) {
          show(parts);
        }
      }
    } catch (e) {
      if (!(e instanceof Refusal)) {
        throw e;
      } else if (e.status === 401) {
        ended(e.message);
      } else if (open) {
        notice(e.message);
      }
      if (e.status === 403) {
        open = false;
        location.hash = location.hash || "#tree";
      }
    }
    if (open && session) {
      timer = setTimeout(look, POLL_MILLIS);
    }
  };
  await look();
}

// --- tree

function rdn(dn) {
  for (let i = 0; i < dn.length; i++) {
    if (dn[i] === "\\") {
      i++;
    } else if (dn[i] === ",") {
      return dn.substring(0, i);
    }
  }
  return dn;
}

function node(dn, text, mayHaveChildren) {
  const children = make("ul", {hidden: true});
  const toggle = make("button", {type: "button", "aria-label": "children", "aria-expanded": "false", click: () => attempt(async () => {
    children.hidden = !children.hidden;
    toggle.textContent = children.hidden ? "▸" : "▾";
    toggle.setAttribute("aria-expanded", String(!children.hidden));
    if (!children.hidden && !children.firstChild) {
      await more(dn, children, "");
    }
  })}, "▸");
  return make("li", {}, mayHaveChildren ? toggle : make("button", {type: "button", disabled: true}, "·"), entryLink(dn, text), children);
}

async function more(dn, list, cookie) {
  const told = await search({base: dn, scope: "one", attributes: ["hasSubordinates"], paged: true, entries: PAGE, cookie});
  notice(problem(told));
  fill(list, told.entries.map(entry => node(entry.dn, rdn(entry.dn), value(entry, "hasSubordinates") !== "FALSE")));
  if (told.cookie) {
    const next = make("li", {}, make("button", {type: "button", class: "more", click: () => attempt(async () => {
      next.remove();
      await more(dn, list, told.cookie);
    })}, "more…"));
    list.append(next);
  } else if (!list.firstChild) {
    list.append(make("li", {class: "faint"}, "none that you may see"));
  }
}

let treeList = null;

/** The tree stays as it is unfolded while entries are looked at. */
async function tree(dn) {
  if (!treeList) {
    treeList = make("ul", {id: "tree"}, [...suffixes, "cn=Monitor", "cn=schema"].map(suffix => node(suffix, suffix, suffix !== "cn=schema")));
  }
  for (const link of treeList.querySelectorAll("a")) {
    link.toggleAttribute("aria-current", link.getAttribute("href") === "#entry/" + encodeURIComponent(dn));
  }
  const shown = make("section", {id: "entry"});
  show(make("div", {class: "tree"}, treeList, shown));
  if (dn !== null) {
    await showEntry(dn, shown);
  } else {
    shown.append(make("p", {class: "faint"}, "Choose an entry."));
  }
}

async function showEntry(dn, place) {
  let told;
  let typesOnly = false;
  try {
    told = await search({base: dn, scope: "base", attributes: ["*", "+"]});
  } catch (e) {
    if (!(e instanceof Refusal) || e.status !== 413) {
      throw e;
    }
    typesOnly = true;
    told = await search({base: dn, scope: "base", attributes: ["*", "+"], typesOnly});
  }
  place.replaceChildren();
  const heading = make("h2", {}, visible(dn || "root"));
  if (told.entries.length === 0) {
    fill(place, [heading, make("p", {}, visible(problem(told) || "There is no such entry, or none that you may see."))]);
    return;
  }
  const entry = told.entries[0];
  const own = isEntry(dn) ? await search({base: dn, scope: "base", attributes: ["*"], typesOnly: true}) : {entries: []};
  const users = new Set(own.entries.length && !typesOnly ? own.entries[0].attributes.map(each => each.name) : []);
  const change = changes => attempt(async () => {
    const result = await call("modify", {dn, csn: value(entry, "entryCSN"), changes});
    if (result.code === 0) {
      await showEntry(dn, place);
    } else {
      notice(result.result === "assertionFailed" ? "The entry has been changed meanwhile: look at it anew." : problem(result));
    }
  });
  fill(place, [heading, typesOnly ? make("p", {}, "The entry is larger than the console takes: these are its attributes without their values.") : null,
    table(["attribute", "values"], entry.attributes.map(attribute => [visible(attribute.name), [
      attribute.values.map(each => users.has(attribute.name) && isEditable(each) ? editableValue(attribute.name, each.text, change)
        : make("div", {}, shownValue(each))),
      attribute.count > attribute.values.length ? make("div", {class: "faint"}, "and " + count(attribute.count - attribute.values.length) + " more") : null,
    ]]), 9), users.size ? addedValue(change) : null]);
}

/** What a field of the page would give back as it is. */
const isEditable = value => value.text !== undefined && !value.bytes && ![...value.text].some(c => c !== "\n" && ODD.test(c));

function editableValue(attribute, text, change) {
  const line = make("div", {class: "editable"});
  const field = make("textarea", {rows: String(Math.min(10, text.split("\n").length)), cols: "50", "aria-label": "new value"});
  const look = () => {
    line.replaceChildren();
    fill(line, [shownValue({text}), " ", make("button", {type: "button", class: "edit", click: () => {
      field.value = text;
      line.replaceChildren();
      fill(line, [field, " ",
        make("button", {type: "button", class: "save", click: () => change([{kind: "delete", attribute, value: text}, {kind: "add", attribute, value: field.value}])}, "save"),
        " ", make("button", {type: "button", class: "delete", click: () => change([{kind: "delete", attribute, value: text}])}, "delete"),
        " ", make("button", {type: "button", click: look}, "cancel")]);
      field.focus();
    }}, "edit")]);
  };
  look();
  return line;
}

function addedValue(change) {
  const attribute = make("input", {id: "newAttribute", spellcheck: "false"});
  const text = make("textarea", {id: "newValue", rows: "1", cols: "50"});
  return make("form", {class: "row", id: "add", submit: event => {
    event.preventDefault();
    change([{kind: "add", attribute: attribute.value.trim(), value: text.value}]);
  }}, make("label", {}, "Attribute ", attribute), make("label", {}, "Value ", text), make("button", {type: "submit"}, "Add"));
}

// --- search

const ASKED = {base: "", scope: "sub", filter: "(objectClass=person)", attributes: "cn uid mail", entries: 50, explain: false};
let asked = {...ASKED};

function searchPage() {
  const field = (name, label, attributes) => make("label", {}, label + " ",
    make("input", {...attributes, id: name, value: String(asked[name]), spellcheck: "false", change: event => { asked[name] = event.target.value; }}));
  asked.base = asked.base || suffixes[0] || "";
  const found = make("section", {id: "found"});
  const run = cookie => attempt(async () => {
    found.replaceChildren();
    const attributes = asked.attributes.split(/[\s,]+/).filter(name => name);
    const told = await search({base: asked.base, scope: asked.scope, filter: asked.filter, entries: Number(asked.entries), explain: asked.explain,
      attributes: attributes.length ? attributes : ["1.1"], paged: true, cookie});
    notice(problem(told));
    fill(found, [
      told.plan ? [make("h2", {}, "Plan"), make("pre", {id: "plan"}, visibleLines([...told.plan, "examined    " + told.examined]))] : null,
      make("p", {class: "faint"}, count(told.entries.length) + (told.entries.length === 1 ? " entry" : " entries") + (told.cookie ? ", and there are more" : "")
        + (told.references ? ", " + told.references + " references to other servers" : "") + ", " + (told.micros / 1000).toFixed(1) + " ms"),
      table(["DN", ...attributes], told.entries.map(entry => [entryLink(entry.dn), ...attributes.map(name => {
        const attribute = entry.attributes.find(each => each.name.toLowerCase() === name.toLowerCase());
        return attribute ? attribute.values.map(each => make("div", {}, shownValue(each))) : "";
      })]), 99),
      told.cookie ? make("button", {type: "button", id: "next", click: () => run(told.cookie)}, "next page") : null,
    ]);
  });
  show(make("form", {id: "search", class: "row", submit: event => { event.preventDefault(); run(""); }},
    field("base", "Base", {class: "wide"}),
    make("label", {}, "Scope ", make("select", {id: "scope", change: event => { asked.scope = event.target.value; }},
      [["sub", "subtree"], ["one", "one level"], ["base", "this entry"]].map(([name, label]) => make("option", {value: name, selected: name === asked.scope}, label)))),
    field("filter", "Filter", {class: "wide"}), field("attributes", "Attributes", {}), field("entries", "Entries", {type: "number", min: "1", max: "200"}),
    make("label", {}, make("input", {id: "explain", type: "checkbox", checked: asked.explain, change: event => { asked.explain = event.target.checked; }}), " Explain"),
    make("button", {type: "submit"}, "Search")), found);
}

const visibleLines = lines => lines.map(line => [visible(line), "\n"]);

// --- connections

async function connections(cookie = "") {
  const told = await search({base: "cn=connections,cn=Monitor", scope: "one", attributes: ["*"], paged: true, entries: 200, cookie});
  notice(problem(told));
  show(make("h2", {}, "Connections"), table(["number", "client", "who", "how", "TLS", "since", "last", "operations", "memory", ""], told.entries.map(entry => {
    const id = number(entry, "cn");
    return [String(id), visible(value(entry, "alderClient")), visible(value(entry, "alderAuthorizationIdentity") || "anonymous"), visible(value(entry, "alderMechanism")),
      visible(value(entry, "alderTls").split(" ")[0]), time(value(entry, "alderStartTime")), visible(value(entry, "alderLastOperation")),
      count(number(entry, "alderOperations")), bytes(number(entry, "alderHeldBytes")),
      make("button", {type: "button", click: () => attempt(async () => {
        const result = await call("close", {connection: id});
        await connections();
        notice(problem(result));
      })}, "close")];
  }), 7), told.cookie ? make("button", {type: "button", click: () => attempt(() => connections(told.cookie))}, "next page") : null);
}

// --- pages

const PAGES = {overview, tree: () => tree(null), search: searchPage, connections: () => connections()};

async function route() {
  if (!session) {
    return;
  }
  const where = location.hash.substring(1) || "overview";
  const name = where.startsWith("entry/") ? "tree" : where;
  const nav = byId("pages");
  nav.replaceChildren();
  fill(nav, Object.keys(PAGES).map(page => make("a", {href: "#" + page, ...(page === name ? {"aria-current": "page"} : {})}, page)));
  leavePage();
  leavePage = () => {};
  if (where.startsWith("entry/")) {
    let dn;
    try {
      dn = decodeURIComponent(where.substring("entry/".length));
    } catch (e) {
      dn = null;
    }
    await attempt(() => tree(dn));
  } else if (Object.hasOwn(PAGES, name)) {
    show();
    await attempt(PAGES[name]);
  } else {
    show(make("p", {}, "There is no such page."));
  }
}

window.addEventListener("hashchange", route);
call("session").then(began, () => ended("")).catch(e => notice(e.message));
