/** The files of every page: style sheet, script and letters. They are the same for everybody, until the program changes. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { SCRIPT } from "./Script.ts"
import { STYLE } from "./Style.ts"

const LETTERS = "@fontsource-variable/noto-sans/files/noto-sans-latin-wght-normal.woff2"

/** Latin letters; other scripts are in the reader's own fonts. */
const FACE = `@font-face { font-family: "Noto Sans"; src: url(/page.woff2) format("woff2"); font-weight: 100 900; font-display: swap;
  unicode-range: U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2212 }`

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/** Read when it is first asked for, and kept. */
const pageFile = (type: string, seconds: number, read: () => string | Buffer): (() => PageFile) => {
  let made: PageFile | undefined
  const make = (): PageFile => {
    const bytes = new Uint8Array(Buffer.from(read()))
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 16)}"`
    const cached = { "cache-control": `public, max-age=${seconds}`, etag }
    return { bytes, headers: { "content-type": type, "x-content-type-options": "nosniff", ...cached } }
  }
  return () => (made ??= make())
}

const FILES: ReadonlyMap<string, () => PageFile> = new Map([
  ["/style.css", pageFile("text/css; charset=utf-8", 60, () => `${FACE}\n${STYLE}`)],
  ["/page.js", pageFile("text/javascript; charset=utf-8", 60, () => SCRIPT)],
  ["/page.woff2", pageFile("font/woff2", 604_800, () => readFileSync(createRequire(import.meta.url).resolve(LETTERS)))]
])

/** The answer to a request for one of them; undefined for other addresses. */
export const fileAt = (path: string, known: string | null): Response | undefined => {
  const file = FILES.get(path)?.()
  if (file === undefined) return undefined
  const { bytes, headers } = file
  return known === headers["etag"] ? new Response(null, { status: 304, headers }) : new Response(bytes, { headers })
}
