// Whom the page is for, what is asked of the server in his name, and how that is shown.

import {count, fill, make, visible} from "./page.js";

export const byId = id => document.getElementById(id);
/** Who has logged in, and the suffixes that the server has for him, null until they are known; and what is done when that is over. */
export const state = {session: null, suffixes: null, ended: () => {}};

export function show(...children) {
  byId("main").replaceChildren();
  return fill(byId("main"), children);
}

export function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").replaceChildren();
  fill(byId("notice"), visible(text || ""));
}

// --- calls

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export async function call(name, asked = {}) {
  const answer = await fetch("/console/api/" + name, {
    method: "POST",
    headers: {"Content-Type": "application/json", "X-Alder-Csrf": state.session ? state.session.csrf : "none"},
    body: JSON.stringify(asked),
  }).catch(() => { throw new Refusal(0, "the server does not answer"); });
  const told = await answer.json().catch(() => ({error: "the server's answer is not what the console expects"}));
  if (!answer.ok) {
    throw new Refusal(answer.status, told.error);
  }
  return told;
}

export const search = asked => call("search", asked);

/** Runs what a person asked for, and says what went wrong. */
export async function attempt(action) {
  try {
    notice("");
    return await action();
  } catch (e) {
    if (e instanceof Refusal && e.status === 401) {
      state.ended(e.message);
    } else if (e instanceof Refusal) {
      notice(e.message);
    } else {
      throw e;
    }
  }
}

export function problem(told) {
  return told.code === 0 ? "" : told.result + (told.message ? ": " + told.message : "");
}

// --- entries

export const entryLink = (dn, text = dn) => make("a", {href: "#entry/" + encodeURIComponent(dn)}, visible(text || "root"));

export const isEntry = text => state.suffixes.some(suffix => text.toLowerCase() === suffix.toLowerCase()
  || text.toLowerCase().endsWith("," + suffix.toLowerCase()));

export function shownValue(value) {
  if (value.hidden !== undefined) {
    return make("span", {class: "faint"}, "hidden, " + value.hidden + " octets");
  } else if (value.text !== undefined) {
    return [isEntry(value.text) ? entryLink(value.text) : make("span", {class: "value"}, visible(value.text)),
      value.bytes ? make("span", {class: "faint"}, " … of " + count(value.bytes) + " octets") : null];
  }
  return make("span", {class: "faint"}, count(value.bytes) + " octets: " + value.base64);
}

// --- names

/** Where the first part of a name ends (RFC 4514): what follows a backslash is no comma between two. */
function firstEnd(dn) {
  for (let i = 0; i < dn.length; i++) {
    if (dn[i] === "\\") {
      i++;
    } else if (dn[i] === ",") {
      return i;
    }
  }
  return dn.length;
}

export const rdnOf = dn => dn.substring(0, firstEnd(dn));
export const parentOf = dn => dn.substring(firstEnd(dn) + 1).trimStart();

/** A value as it is written in a name (RFC 4514 2.4). */
export const escaped = value => value.replace(/["+,;<>\\=]/g, "\\$&").replace(/\0/g, "\\00").replace(/^[ #]/, "\\$&").replace(/ $/, "\\ ");
