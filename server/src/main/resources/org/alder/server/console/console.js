// The console: who is logged in, what is asked of the server, and its pages.

import {connections} from "./connections.js";
import {indexes} from "./indexes.js";
import {POLL_MILLIS, forget, overviewOf} from "./overview.js";
import {count, fill, make, table, values, visible} from "./page.js";
import {Refusal, attempt, byId, call, entryLink, notice, problem, search, show, shownValue, state} from "./session.js";
import {forgetTree, tree} from "./tree.js";

let leavePage = () => {};

// --- login

function ended(why) {
  state.session = null;
  state.suffixes = null;
  forget();
  forgetTree();
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
  state.session = facts;
  byId("login").hidden = true;
  byId("password").value = "";
  byId("identity").replaceChildren();
  fill(byId("identity"), visible(facts.identity));
  byId("who").hidden = false;
  byId("pages").hidden = false;
  const root = await search({base: "", scope: "base", attributes: ["namingContexts"]});
  state.suffixes = root.entries.length ? values(root.entries[0], "namingContexts") : [];
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
      if (!state.session && e instanceof Refusal) {
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
    if (open && state.session) {
      timer = setTimeout(look, POLL_MILLIS);
    }
  };
  await look();
}

// --- search

const ASKED = {base: "", scope: "sub", filter: "(objectClass=person)", attributes: "cn uid mail", entries: 50, explain: false};
let asked = {...ASKED};

function searchPage() {
  const field = (name, label, attributes) => make("label", {}, label + " ",
    make("input", {...attributes, id: name, value: String(asked[name]), spellcheck: "false", change: event => { asked[name] = event.target.value; }}));
  asked.base = asked.base || state.suffixes[0] || "";
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

// --- pages

const PAGES = {overview, tree: () => tree(null), search: searchPage, connections: () => connections(),
  indexes: () => indexes(leave => { leavePage = leave; })};

async function route() {
  if (!state.suffixes) {
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

state.ended = ended;
window.addEventListener("hashchange", route);
call("session").then(began, () => ended("")).catch(e => notice(e.message));
