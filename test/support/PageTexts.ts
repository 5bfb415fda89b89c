/** Collects the texts that the page's sources contain, as its catalogues have them. */
import { globSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { parseAst } from "vitest/node"
import { textOf, textsOf } from "../../cli/page/language/Texts.ts"

/** The page, the pages of links, and the list of tenants. */
const FILES = globSync("cli/{page,connect}/*.ts").concat(
  "cli/tenants/AllPage.ts",
  "cli/tenants/AllRoutes.ts",
  "cli/tenants/TenantSearch.ts"
)

/** A node of a syntax tree, as far as it is looked at here. */
export interface SyntaxNode {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly callee?: SyntaxNode
  readonly arguments?: ReadonlyArray<SyntaxNode>
  readonly tag?: SyntaxNode
  readonly quasi?: SyntaxNode
  readonly quasis?: ReadonlyArray<{ readonly value: { readonly cooked: string } }>
  readonly expressions?: ReadonlyArray<SyntaxNode>
  readonly key?: SyntaxNode
  readonly consequent?: SyntaxNode
  readonly alternate?: SyntaxNode
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

/** Each node below one, with whether it is in a function. */
export function* nodesOf(value: unknown, inFunction = false): IterableIterator<readonly [SyntaxNode, boolean]> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one, inFunction)
  if (!isNode(value) || /^(Import|TSType|TSInterface|TSLiteral|TSUnion)/.test(value.type)) return
  const within = inFunction || /Function/.test(value.type)
  yield [value, within]
  for (const one of Object.values(value)) if (typeof one === "object") yield* nodesOf(one, within)
}

const literal = (node: SyntaxNode | undefined): ReadonlyArray<string> =>
  typeof node?.value === "string" ? [node.value] : []

const counted = ([, one, many]: ReadonlyArray<SyntaxNode>): ReadonlyArray<string> =>
  literal(one).flatMap((noun) => [noun, ...(many === undefined ? [`${noun}s`] : literal(many))])

/** Words that somebody may read: several, or one with a capital letter. */
const isProse = (text: string): boolean => /[a-z]{2,} [A-Za-z]|^[A-Z][a-z]{2,}/.test(text)

export interface FoundText {
  readonly file: string
  readonly text: string
  /** `said`: by a template or a count; `constant`: of a module, said by `term`; `plain`: said in English to everybody. */
  readonly how: "said" | "constant" | "plain"
}

const textsIn = (file: string, source: string): ReadonlyArray<FoundText> => {
  const found: Array<FoundText> = []
  const add = (how: FoundText["how"], texts: ReadonlyArray<string>) => {
    for (const text of texts) found.push({ file, text, how })
  }
  for (const [node, within] of nodesOf((parseAst(source, { lang: "ts" }) as { readonly body: unknown }).body)) {
    const strings = node.quasi?.quasis?.map(({ value }) => value.cooked) ?? []
    if (node.tag?.name === "html") add("said", textsOf(strings))
    else if (node.tag?.name === "t") add("said", [textOf(strings)])
    else if (node.callee?.name === "plural") add("said", counted(node.arguments ?? []))
    else if (node.type === "Literal") add(within ? "plain" : "constant", literal(node).filter(isProse))
  }
  return found
}

/** The texts of the page's sources. */
export const pageTexts = (): ReadonlyArray<FoundText> =>
  FILES.flatMap((file) => textsIn(basename(file), readFileSync(file, "utf8")))
