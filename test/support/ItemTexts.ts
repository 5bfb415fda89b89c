/** Collects the sentences that the sources have for what needs attention: why, and what can be done, with something in place of each value. */
import { globSync, readFileSync } from "node:fs"
import { parseAst } from "vitest/node"
import { nodesOf, type SyntaxNode } from "./PageTexts.ts"

/** What an expression may come to; nothing of what is made elsewhere. */
const said = (node: SyntaxNode | undefined): ReadonlyArray<string> => {
  if (node?.type === "Literal") return typeof node.value === "string" ? [node.value] : []
  if (node?.type === "ConditionalExpression") return [...said(node.consequent), ...said(node.alternate)]
  if (node?.type !== "TemplateLiteral") return []
  const [first, ...rest] = (node.quasis ?? []).map(({ value }) => value.cooked)
  return rest.reduce<ReadonlyArray<string>>(
    (all, after, n) => {
      const value = node.expressions?.[n]
      const own = value?.type === "ConditionalExpression" ? said(value) : []
      return all.flatMap((text) => (own.length > 0 ? own : [`INV-${n}7`]).map((one) => text + one + after))
    },
    [first ?? ""]
  )
}

/** Sentences of at least two words in properties of these names, with the file of each. */
const textsIn = (files: string, names: ReadonlyArray<string>): ReadonlyArray<readonly [file: string, text: string]> =>
  globSync(files).flatMap((file) => {
    const { body } = parseAst(readFileSync(file, "utf8"), { lang: "ts" }) as { readonly body: unknown }
    return [...nodesOf(body)].flatMap(([node]) =>
      node.type === "Property" && names.includes(node.key?.name ?? "")
        ? said(node.value as SyntaxNode).flatMap((text) =>
            /[a-z]{2,} [a-z]/.test(text) ? [[file, text] as const] : []
          )
        : []
    )
  })

export const itemTexts = () => textsIn("sync/{rules,matching,plan,apply,movements}/**/*.ts", ["why", "todo"])

/** What is asked of whoever sets up a connection, and what was found in their files. */
export const setupTexts = () => textsIn("sync/setup/**/*.ts", ["ask", "because", "what", "why"])
