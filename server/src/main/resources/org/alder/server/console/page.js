// The parts that the console's pages are made of. Whatever comes from the directory is put on a page as text, never as markup: there is no
// other way in these files, and the page's Content-Security-Policy allows no other.

const SVG = "http://www.w3.org/2000/svg";
/** Characters that are not seen, or that change how others are shown. */
export const ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]/u;

export function fill(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) {
      element.append(child);
    }
  }
  return element;
}

/** @param attributes of which those whose value is a function are listeners */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value !== false && value !== null) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  return fill(element, children);
}

export function draw(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
}

/** A text with what is odd in it made visible. */
export function visible(text) {
  const parts = [];
  let plain = "";
  for (const c of text) {
    if (ODD.test(c)) {
      parts.push(plain, make("span", {class: "odd"}, "\\u{" + c.codePointAt(0).toString(16) + "}"));
      plain = "";
    } else {
      plain += c;
    }
  }
  parts.push(plain);
  return parts;
}

export function table(heads, rows, numbersFrom = 1) {
  const kind = i => i >= numbersFrom ? {class: "number"} : {};
  return make("table", {}, make("thead", {}, make("tr", {}, heads.map((head, i) => make("th", kind(i), head)))),
    make("tbody", {}, rows.map(row => make("tr", {}, row.map((cell, i) => make("td", kind(i), cell))))));
}

// --- of entries

/** Texts of an attribute, whatever the capitals of its name. */
export function values(entry, name) {
  const found = entry.attributes.find(each => each.name.toLowerCase() === name.toLowerCase());
  return found ? found.values.map(value => value.text === undefined ? "" : value.text) : [];
}

export const value = (entry, name) => values(entry, name)[0] || "";
export const number = (entry, name) => Number(value(entry, name)) || 0;

// --- of numbers

export const count = number => Math.round(number).toLocaleString("en");
export const rate = number => number >= 100 ? count(number) : number.toFixed(1);

export function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (number >= 1024 && unit < units.length - 1) {
    number /= 1024;
    unit++;
  }
  return (unit === 0 ? number : number.toFixed(1)) + " " + units[unit];
}

export function millis(number) {
  return number === null ? "" : number > 10000 ? "> 10,000 ms" : (number < 1 ? number.toFixed(2) : number < 100 ? number.toFixed(1) : count(number)) + " ms";
}

export function time(text) {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?/.exec(text);
  return parts ? parts.slice(1, 4).join("-") + " " + parts.slice(4).join(":") + " UTC" : text;
}
