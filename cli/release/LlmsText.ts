/**
 * Writes `llms.txt`, the pages' table of contents for assistants (llmstxt.org), from the pages themselves: what the README's tables
 * say of each page, then every other page with its first sentence.
 */

export interface DocumentationPage {
  readonly path: string
  readonly text: string
}

const LINK = /\[([^\]]+)\]\(([^)#\s]+\.md)(#[^)\s]*)?\)/g

const titleOf = ({ text }: DocumentationPage): string => /^# (.*)$/m.exec(text)?.[1] ?? ""

const plain = (text: string): string => text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")

/** A page's first sentence, as plain text; undefined if it has none. */
const firstSentence = (page: DocumentationPage): string | undefined => {
  const paragraph = page.text
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/^#.*$/gm, "")
    .split(/\n\s*\n/)
    .map((one) => one.replace(/\s+/g, " ").trim())
    .find((one) => /^[\w`"]/.test(one))
  if (paragraph === undefined) return undefined
  const text = plain(paragraph)
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text
}

const item = (title: string, path: string, about: string): string => `- [${title}](${path}): ${about}`

/** @param pages every page; paths are relative to the README's folder */
export const llmsText = (pages: ReadonlyArray<DocumentationPage>): string => {
  const readme = pages.find(({ path }) => path === "README.md")
  if (readme === undefined) throw new RangeError("there is no README.md")
  const [, summary = ""] = /^# .*\n\n([\s\S]*?)\n\n/.exec(readme.text) ?? []
  const [, section = ""] = readme.text.split(/^## Documentation$/m)
  const seen = new Set(["README.md"])
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const named = section.split("\n").flatMap((row) => {
    const [, cell = "", about = ""] = /^\| (.*?) \| (.*) \|$/.exec(row) ?? []
    const links = [...cell.matchAll(LINK)]
    return links.flatMap(([, title = "", path = "", part]) => {
      const page = byPath.get(path)
      if (seen.has(path) || page === undefined) return []
      seen.add(path)
      // What a row says of several pages, or of a part of one, is not what one of them is about.
      return links.length > 1 || part !== undefined
        ? [item(titleOf(page), path, firstSentence(page) ?? plain(about))]
        : [item(title, path, plain(about))]
    })
  })
  const others = pages
    .filter(({ path }) => !seen.has(path))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((page) => item(titleOf(page), page.path, firstSentence(page) ?? titleOf(page)))
  return `# ${titleOf(readme)}

> ${summary.replace(/\s+/g, " ")}

- [${titleOf(readme)}](README.md): what it does, a tour, and the first sync

## Documentation

${named.join("\n")}

## Optional

${others.join("\n")}
`
}
