// The tree of entries, and an entry with its values.

import {adding, deleting, renaming} from "./edit.js";
import {ODD, count, fill, make, table, value, visible} from "./page.js";
import {Refusal, attempt, call, entryLink, isEntry, notice, parentOf, problem, rdnOf, search, show, shownValue, state} from "./session.js";

/** Entries of a level that are asked for at once. */
const PAGE = 50;
/** By the entry's name: has it say anew what is below it. */
const nodes = new Map();

/** @param below whether there is something; undefined if that is not known */
function node(dn, text, below) {
  const children = make("ul", {hidden: true});
  const toggle = make("button", {type: "button", "aria-label": "children", click: () => attempt(() => unfold(children.hidden))});
  const look = mayHave => {
    toggle.disabled = !mayHave;
    toggle.textContent = !mayHave ? "·" : children.hidden ? "▸" : "▾";
    toggle.setAttribute("aria-expanded", String(mayHave && !children.hidden));
  };
  const unfold = async open => {
    children.hidden = !open;
    look(true);
    if (open && !children.firstChild) {
      await more(dn, children, "");
    }
  };
  look(below);
  nodes.set(dn, async () => {
    children.replaceChildren();
    await unfold(true);
  });
  return make("li", {}, toggle, entryLink(dn, text), children);
}

/** After something has been added or is gone below an entry. */
async function lookBelow(dn) {
  if (nodes.has(dn)) {
    await nodes.get(dn)();
  }
}

async function more(dn, list, cookie) {
  const told = await search({base: dn, scope: "one", attributes: ["hasSubordinates"], paged: true, entries: PAGE, cookie});
  notice(problem(told));
  fill(list, told.entries.map(entry => node(entry.dn, rdnOf(entry.dn), value(entry, "hasSubordinates") !== "FALSE")));
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

export function forgetTree() {
  treeList = null;
  nodes.clear();
}

/** The tree stays as it is unfolded while entries are looked at. */
export async function tree(dn) {
  if (!treeList) {
    treeList = make("ul", {id: "tree"}, [...state.suffixes, "cn=Monitor", "cn=schema"].map(suffix => node(suffix, suffix, suffix !== "cn=schema")));
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
  const csn = value(entry, "entryCSN");
  /** Asks for an update, and says why it was not made. */
  const update = (name, asked, done) => attempt(async () => {
    const result = await call(name, asked);
    if (result.code === 0) {
      await done();
    } else {
      notice(result.result === "assertionFailed" ? "The entry has been changed meanwhile: look at it anew." : problem(result));
    }
  });
  const change = changes => update("modify", {dn, csn, changes}, () => showEntry(dn, place));
  const go = async (to, ...changed) => {
    for (const each of changed) {
      await lookBelow(each);
    }
    location.hash = "#entry/" + encodeURIComponent(to);
  };
  const forms = make("section", {id: "form"});
  const actions = !isEntry(dn) ? null : make("p", {class: "row"},
    make("button", {type: "button", id: "addBelow", click: () => attempt(() => adding(forms, dn, asked => update("add", asked, () => go(asked.dn, dn))))}, "add below…"),
    make("button", {type: "button", id: "rename", click: () => renaming(forms, dn, asked => update("rename", {...asked, csn},
      () => go(asked.newRdn + "," + (asked.newSuperior || parentOf(dn)), parentOf(dn), ...(asked.newSuperior ? [asked.newSuperior] : []))))}, "rename or move…"),
    make("button", {type: "button", id: "remove", click: () => attempt(() => deleting(forms, dn, asked => update("delete", {...asked, csn}, () => go(parentOf(dn), parentOf(dn)))))},
      "delete…"));
  fill(place, [heading, actions, forms, typesOnly ? make("p", {}, "The entry is larger than the console takes: these are its attributes without their values.") : null,
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
