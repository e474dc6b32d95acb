// The forms by which entries are added, renamed and deleted.

import {count, fill, make, visible} from "./page.js";
import {call, escaped, parentOf, rdnOf} from "./session.js";

/** What entries are mostly named after, in this order. */
const NAMING = ["uid", "cn", "ou", "dc", "o", "l", "c"];

const form = (place, verb, title, submit, ...parts) => {
  place.replaceChildren();
  const made = make("form", {class: "panel", submit: event => { event.preventDefault(); submit(); }}, make("h2", {}, verb, " ", title), parts,
    make("p", {class: "row"}, make("button", {type: "submit", class: "do"}, verb), make("button", {type: "button", click: () => place.replaceChildren()}, "cancel")));
  place.append(made);
  return made;
};

// --- the schema

/** Words of a definition (RFC 4512 4.1): names, OIDs, quoted texts, and brackets. */
const words = definition => definition.match(/'[^']*'|[()$]|[^\s()$']+/g) || [];

/** What follows a keyword, one or several in brackets. */
function after(all, keyword) {
  const at = all.indexOf(keyword);
  if (at < 0) {
    return [];
  }
  const found = all[at + 1] === "(" ? all.slice(at + 2, all.indexOf(")", at)) : [all[at + 1]];
  return found.filter(word => word !== "$").map(word => word.replace(/^'|'$/g, ""));
}

/** Classes by all their names in small letters. */
function classesOf(definitions) {
  const found = new Map();
  for (const definition of definitions) {
    const all = words(definition);
    const names = after(all, "NAME");
    const each = {name: names[0] || all[1], kind: ["ABSTRACT", "AUXILIARY"].find(kind => all.includes(kind)) || "STRUCTURAL", above: after(all, "SUP"),
      must: after(all, "MUST"), may: after(all, "MAY"), obsolete: all.includes("OBSOLETE")};
    for (const name of [all[1], ...names]) {
      found.set(name.toLowerCase(), each);
    }
  }
  return found;
}

/** The attributes that entries of these classes must and may have. */
function attributesOf(classes, names) {
  const seen = new Set();
  const must = new Map();
  const may = new Map();
  const add = name => {
    const each = classes.get(name.toLowerCase());
    if (each && !seen.has(each)) {
      seen.add(each);
      each.must.forEach(attribute => must.set(attribute.toLowerCase(), attribute));
      each.may.forEach(attribute => may.set(attribute.toLowerCase(), attribute));
      each.above.forEach(add);
    }
  };
  names.forEach(add);
  must.delete("objectclass");
  return {must: [...must.values()], may: [...may].filter(([name]) => !must.has(name)).map(([, attribute]) => attribute).sort()};
}

// --- the forms

const choice = (id, names, chosen, change) => make("select", {id, change: event => change(event.target.value)},
  names.map(name => make("option", {value: name, selected: name === chosen}, visible(name))));

/** Adds an entry below this one. @param submit gets what is to be asked of the server */
export async function adding(place, parent, submit) {
  const classes = classesOf((await call("schema")).objectClasses);
  const named = kind => [...new Set(classes.values())].filter(each => each.kind === kind && !each.obsolete).map(each => each.name).sort();
  const chosen = {structural: classes.has("inetorgperson") ? classes.get("inetorgperson").name : named("STRUCTURAL")[0], auxiliary: [], more: [], naming: ""};
  const texts = new Map();
  const body = make("div");
  const field = (attribute, required) => make("label", {}, visible(attribute), required ? null : make("span", {class: "faint"}, " may be left empty"),
    make("textarea", {rows: "1", cols: "50", class: "newValue", "data-attribute": attribute, required, change: event => texts.set(attribute, event.target.value)},
      texts.get(attribute) || ""));
  const look = () => {
    const {must, may} = attributesOf(classes, [chosen.structural, ...chosen.auxiliary]);
    chosen.more = chosen.more.filter(name => may.includes(name));
    const names = [...must, ...chosen.more];
    const possible = [...must, ...may];
    chosen.naming = possible.includes(chosen.naming) ? chosen.naming : NAMING.find(name => must.includes(name)) || NAMING.find(name => may.includes(name)) || possible[0] || "";
    body.replaceChildren();
    fill(body, [
      make("label", {}, "What it is ", choice("structural", named("STRUCTURAL"), chosen.structural, name => { chosen.structural = name; look(); })),
      make("p", {}, chosen.auxiliary.map(name => make("span", {}, visible(name), " ", make("button", {type: "button", "aria-label": "without " + name,
        click: () => { chosen.auxiliary = chosen.auxiliary.filter(each => each !== name); look(); }}, "×"), " ")),
      make("label", {}, "and also ", choice("auxiliary", ["", ...named("AUXILIARY").filter(name => !chosen.auxiliary.includes(name))], "",
        name => { chosen.auxiliary.push(name); look(); }))),
      make("label", {}, "Named after ", choice("naming", possible, chosen.naming, name => { chosen.naming = name; look(); })),
      (names.includes(chosen.naming) ? names : [chosen.naming, ...names]).map(name => field(name, must.includes(name) || name === chosen.naming)),
      make("label", {}, "Another attribute ", choice("another", ["", ...may.filter(name => !names.includes(name) && name !== chosen.naming)], "",
        name => { chosen.more.push(name); look(); })),
      make("p", {class: "faint"}, "Several values of an attribute stand on a line each."),
    ]);
  };
  look();
  form(place, "Add", ["below ", visible(parent)], () => {
    const attributes = [{name: "objectClass", values: [chosen.structural, ...chosen.auxiliary]}];
    let name = "";
    for (const each of body.querySelectorAll("textarea")) {
      const attribute = each.getAttribute("data-attribute");
      const values = each.value.split("\n").filter(text => text);
      if (attribute === chosen.naming && values.length) {
        name = attribute + "=" + escaped(values[0]);
      }
      if (values.length) {
        attributes.push({name: attribute, values});
      }
    }
    submit({dn: name + "," + parent, attributes});
  }, body);
}

/** Renames an entry, or moves it below another one. */
export function renaming(place, dn, submit) {
  const name = make("input", {id: "newRdn", class: "wide", value: rdnOf(dn), spellcheck: "false", required: true});
  const above = make("input", {id: "newSuperior", class: "wide", value: parentOf(dn), spellcheck: "false"});
  const keep = make("input", {id: "keepOld", type: "checkbox"});
  form(place, "Rename", visible(dn), () => submit({dn, newRdn: name.value.trim(), deleteOldRdn: !keep.checked, newSuperior: above.value.trim() === parentOf(dn) ? "" : above.value.trim()}),
    make("label", {}, "New name ", name), make("label", {}, "Below ", above), make("label", {}, keep, " keep the old name's values as attributes"));
}

/** Deletes an entry, and what is below it only if that is asked for. */
export async function deleting(place, dn, submit) {
  const told = await call("below", {base: dn});
  const number = (told.more ? "at least " : "") + count(told.count);
  const tree = make("input", {id: "withTree", type: "checkbox", required: true});
  form(place, "Delete", [visible(dn), "?"], () => submit({dn, tree: tree.checked}),
    make("p", {id: "howMany"}, told.count === 0 ? "There is nothing below it that you may see. What is deleted is gone."
      : number + (told.count === 1 && !told.more ? " entry is" : " entries are") + " below it. What is deleted is gone."),
    told.count === 0 ? null : make("label", {}, tree, told.count === 1 && !told.more ? " delete that entry, too" : " delete these " + number + " entries, too"));
}
