/**
 * Decodes HTML entities, which WordPress stores in names and descriptions (`Smith &amp; Sons`, `4 &#8211; 6 cm`) and which do
 * not belong on an invoice. Decodes once, as a browser would; everything else is unchanged.
 */

import * as Json from "../Json.ts"

/** The names of U+00A0 to U+00FF, in order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para " +
  "middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave " +
  "Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc " +
  "Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc " +
  "iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml"

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(" ").map((name, n) => [name, String.fromCodePoint(0xa0 + n)] as const),
  ...Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    ndash: "–",
    mdash: "—",
    lsquo: "‘",
    rsquo: "’",
    sbquo: "‚",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    lsaquo: "‹",
    rsaquo: "›",
    hellip: "…",
    bull: "•",
    prime: "′",
    Prime: "″",
    dagger: "†",
    euro: "€",
    trade: "™",
    OElig: "Œ",
    oelig: "œ",
    Scaron: "Š",
    scaron: "š",
    Zcaron: "Ž",
    zcaron: "ž",
    minus: "−",
    ensp: "\u2002",
    emsp: "\u2003",
    thinsp: "\u2009"
  })
])

/** Character references from 128 to 159 mean Windows-1252 characters, as in browsers. */
const WINDOWS = new TextDecoder("windows-1252")

const ofNumber = (code: number): string | undefined => {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS.decode(Uint8Array.of(code))
  const isText = code === 9 || code === 10 || (code >= 0x20 && code !== 0x7f)
  return isText && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined
}

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,8}));/g

const decode = (text: string): string =>
  text.includes("&")
    ? text.replace(ENTITY, (whole: string, decimal?: string, hex = "", name?: string) => {
        const found =
          name === undefined
            ? ofNumber(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
            : NAMED.get(name)
        return found ?? whole
      })
    : text

/** A text for people; undefined if absent. */
export const maybe = (fields: Json.Fields, path: string): string | undefined => {
  const text = fields.maybe(path)
  return text === undefined ? undefined : decode(text)
}

/** A record with the texts of these members decoded. */
export const decoded = (fields: Json.Fields, ...members: ReadonlyArray<string>): Json.Fields => {
  const plain = (value: unknown) => (typeof value === "string" ? decode(value) : value)
  const texts = (member: string) =>
    Object.fromEntries(
      Object.entries(Json.fieldsOf(fields.get(member)).record).map(([name, one]) => [name, plain(one)])
    )
  return new Json.Fields({ ...fields.record, ...Object.fromEntries(members.map((one) => [one, texts(one)])) })
}
