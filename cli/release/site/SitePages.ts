/** The documentation's pages as HTML, with their links followed: a link to what is not there is an error that names page and target. */
import MarkdownIt from "markdown-it"
import type { Token } from "markdown-it/index.js"
import { posix } from "node:path"
import type { DocumentationPage } from "../LlmsText.ts"

/** A heading with the text below it, as it is searched. */
export interface SiteSection {
  readonly anchor: string
  readonly title: string
  readonly text: string
}

export interface SitePage {
  /** From the site's root: `cli/index.html` of `cli/README.md`. */
  readonly address: string
  readonly title: string
  readonly html: string
  readonly sections: ReadonlyArray<SiteSection>
  /** Pictures that it shows, from the project's root. */
  readonly pictures: ReadonlyArray<string>
}

export const addressOf = (path: string): string => path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html")

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")

const markdown = new MarkdownIt({ html: false })

const textOf = ({ children, content }: Token): string =>
  children === null ? content : children.map(({ content: one }) => one).join("")

/** Sets the headings' anchors; returns what stands below each. */
const sectionsOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<SiteSection> => {
  const found: Array<{ anchor: string; title: string; text: string }> = []
  for (const [n, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const title = textOf(tokens[n + 1] ?? token)
      token.attrSet("id", anchorOf(title))
      found.push({ anchor: anchorOf(title), title, text: "" })
    } else if (token.type === "inline" || token.type === "fence") {
      const last = found.at(-1)
      if (last !== undefined && tokens[n - 1]?.type !== "heading_open") last.text += `${textOf(token)} `
    }
  }
  return found
}

interface Read {
  readonly path: string
  readonly tokens: Array<Token>
  readonly sections: ReadonlyArray<SiteSection>
}

/** Turns links into the site's; those to source files, which the site does not have, become text. */
const follow = (page: Read, all: ReadonlyMap<string, Read>, files: ReadonlySet<string>, dead: Array<string>) => {
  const pictures: Array<string> = []
  const here = posix.dirname(page.path)
  const relative = (to: string) => posix.relative(posix.dirname(addressOf(page.path)), to)
  const link = (target: string): string | undefined => {
    if (/^[a-z]+:/.test(target)) return target
    const [file = "", anchor] = target.split("#")
    const path = file === "" ? page.path : posix.normalize(posix.join(here, file)).replace(/\/$/, "")
    const to = all.get(path) ?? all.get(posix.join(path, "README.md"))
    if (to === undefined) {
      if (!files.has(path) && ![...files].some((one) => one.startsWith(`${path}/`)))
        dead.push(`${page.path}: ${target}`)
      return undefined
    }
    if (anchor !== undefined && !to.sections.some((one) => one.anchor === anchor)) dead.push(`${page.path}: ${target}`)
    const place = to === page ? "" : relative(addressOf(to.path))
    return anchor === undefined ? place : `${place}#${anchor}`
  }
  for (const { children } of page.tokens) {
    const closing: Array<boolean> = []
    for (const child of children ?? []) {
      if (child.type === "image") {
        const path = posix.normalize(posix.join(here, child.attrGet("src") ?? ""))
        if (!files.has(path)) dead.push(`${page.path}: ${path}`)
        pictures.push(path)
        child.attrSet("src", relative(path))
      } else if (child.type === "link_open") {
        const to = link(child.attrGet("href") ?? "")
        closing.push(to === undefined)
        if (to === undefined) {
          child.tag = "span"
          child.attrs = null
        } else child.attrSet("href", to)
      } else if (child.type === "link_close" && closing.pop() === true) child.tag = "span"
    }
  }
  return pictures
}

/**
 * @param pages every page, by its path from the project's root
 * @param files every file of the project
 * @throws if a link leads nowhere
 */
export const sitePages = (
  pages: ReadonlyArray<DocumentationPage>,
  files: ReadonlySet<string>
): ReadonlyArray<SitePage> => {
  const all = new Map(
    pages.map(({ path, text }): [string, Read] => {
      const tokens = markdown.parse(text, {})
      return [path, { path, tokens, sections: sectionsOf(tokens) }]
    })
  )
  const dead: Array<string> = []
  const made = [...all.values()].map((page): SitePage => {
    const pictures = follow(page, all, files, dead)
    const html = markdown.renderer.render(page.tokens, markdown.options, {})
    const title = page.sections[0]?.title ?? page.path
    return { address: addressOf(page.path), title, html, sections: page.sections, pictures }
  })
  if (dead.length > 0) throw new Error(`links that lead nowhere:\n${dead.join("\n")}`)
  return made
}
