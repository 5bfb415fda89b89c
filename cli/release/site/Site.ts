/** Makes the documentation site of one version: plain files that need no server, with a search that works without a network. */
import { build } from "esbuild"
import MiniSearch from "minisearch"
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import type { DocumentationPage } from "../LlmsText.ts"
import { FIELDS } from "./Fields.ts"
import { type SitePage, sitePages } from "./SitePages.ts"

const STYLE = `:root{color-scheme:light dark;--line:#8884;--soft:#8881}
*{box-sizing:border-box}body{margin:0;font:16px/1.6 system-ui,sans-serif;display:grid;grid-template-columns:19rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);font-size:.9rem}
nav ul{list-style:none;margin:.3rem 0;padding:0}nav li{margin:.15rem 0}nav h2{font-size:.8rem;margin:1rem 0 .2rem;text-transform:uppercase}
nav input,nav select{width:100%;padding:.4rem;font:inherit;margin-bottom:.5rem}nav a{text-decoration:none}nav [aria-current]{font-weight:700}
main{padding:1.5rem 2rem 4rem;max-width:60rem;min-width:0}img{max-width:100%;height:auto}
pre{overflow:auto;padding:.8rem;background:var(--soft);border:1px solid var(--line)}code{font-size:.9em}
table{border-collapse:collapse;display:block;overflow:auto}th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;max-height:60vh;border:0;border-bottom:1px solid var(--line)}main{padding:1rem}}
@media print{nav{display:none}body{display:block}}
`

/** In the order in which they are listed; a page is in the first group that its address begins with. */
const GROUPS = [
  ["For those who keep books", ["cli/SYMPTOMS", "cli/HOWTO", "cli/MONTH-END", "cli/GLOSSARY", "cli/index"]],
  ["Sources", ["connectors/"]],
  ["Rules and proof", ["sync/rules", "sync/witness", "sync/movements", "sync/THREATS", "test/FAULTS"]],
  [
    "Running it",
    ["cli/daemon", "cli/remote", "examples/", "sync/alerts", "sync/cluster", "sync/tenants", "sync/state", "sync/vault"]
  ],
  ["For programmers", ["sync/", "core/", "test/"]],
  ["Daybook", [""]]
] as const

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const navigation = (page: SitePage, all: ReadonlyArray<SitePage>, root: string): string => {
  const left = new Set(all)
  return GROUPS.map(([title, beginnings]) => {
    const its = beginnings.flatMap((begin) => [...left].filter(({ address }) => address.startsWith(begin)))
    for (const one of its) left.delete(one)
    const items = [...new Set(its)].map((one) => {
      const current = one === page ? ' aria-current="page"' : ""
      return `<li><a href="${root}${one.address}"${current}>${escaped(one.title)}</a></li>`
    })
    return items.length === 0 ? "" : `<h2>${title}</h2><ul>${items.join("")}</ul>`
  }).join("")
}

const rootOf = (address: string): string =>
  "../".repeat(posix.dirname(address) === "." ? 0 : address.split("/").length - 1)

const whole = (page: SitePage, all: ReadonlyArray<SitePage>, version: string): string => {
  const root = rootOf(page.address)
  return `<!doctype html>
<html lang="en" data-root="${root}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(page.title)} · Daybook ${version}</title><link rel="stylesheet" href="${root}style.css"></head>
<body><nav aria-label="Pages"><label>Search<input id="search" type="search" autocomplete="off"></label><ul id="found" aria-live="polite"></ul>
<label>Version<select id="versions"><option>${version}</option></select></label>${navigation(page, all, root)}</nav>
<main>${page.html}</main>
<script src="${root}../versions.js"></script><script src="${root}index.js"></script><script src="${root}search.js"></script></body></html>
`
}

const indexOf = (pages: ReadonlyArray<SitePage>): string => {
  const index = new MiniSearch<{ readonly id: string }>(FIELDS)
  const seen = new Set<string>()
  for (const { address, sections, title: page } of pages)
    for (const { anchor, text, title } of sections) {
      const id = `${address}#${anchor}`
      if (seen.has(id)) continue
      seen.add(id)
      index.add({ id, page, title, text } as { readonly id: string })
    }
  return JSON.stringify(index)
}

const script = async (): Promise<string> => {
  const entryPoints = [fileURLToPath(new URL("./search.js", import.meta.url))]
  const made = await build({ entryPoints, bundle: true, minify: true, format: "iife", target: "es2022", write: false })
  return made.outputFiles[0]?.text ?? ""
}

const newestFirst = (a: string, b: string): number => b.localeCompare(a, "en", { numeric: true })

/**
 * Writes `FOLDER/VERSION/`, and lists in `FOLDER/versions.js` all versions that are there.
 *
 * @param root the project's
 * @param pages every page
 * @param files every file of the project
 * @throws if a link leads nowhere
 */
export const site = async (
  root: string,
  pages: ReadonlyArray<DocumentationPage>,
  files: ReadonlySet<string>,
  { into, version }: { readonly into: string; readonly version: string }
): Promise<ReadonlyArray<SitePage>> => {
  const made = sitePages(pages, files)
  const place = join(into, version)
  rmSync(place, { recursive: true, force: true })
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(place, name)), { recursive: true })
    writeFileSync(join(place, name), text)
  }
  for (const page of made) write(page.address, whole(page, made, version))
  for (const picture of new Set(made.flatMap(({ pictures }) => pictures))) {
    mkdirSync(dirname(join(place, picture)), { recursive: true })
    copyFileSync(join(root, picture), join(place, picture))
  }
  write("style.css", STYLE)
  write("index.js", `var DAYBOOK_INDEX = ${JSON.stringify(indexOf(made))}\n`)
  write("search.js", await script())
  const versions = readdirSync(into, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
  const [newest = version, ...older] = versions.toSorted(newestFirst)
  writeFileSync(join(into, "versions.js"), `var DAYBOOK_VERSIONS = ${JSON.stringify([newest, ...older])}\n`)
  writeFileSync(
    join(into, "index.html"),
    `<!doctype html><meta charset="utf-8"><title>Daybook</title><meta http-equiv="refresh" content="0; url=${newest}/index.html">\n`
  )
  return made
}
