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

/** Sentences of at least two words, with the file of each. */
export const itemTexts = (): ReadonlyArray<readonly [file: string, text: string]> =>
  globSync("sync/{rules,matching,plan,apply,movements}/**/*.ts").flatMap((file) => {
    const { body } = parseAst(readFileSync(file, "utf8"), { lang: "ts" }) as { readonly body: unknown }
    return [...nodesOf(body)].flatMap(([node]) =>
      node.type === "Property" && (node.key?.name === "why" || node.key?.name === "todo")
        ? said(node.value as SyntaxNode).flatMap((text) =>
            /[a-z]{2,} [a-z]/.test(text) ? [[file, text] as const] : []
          )
        : []
    )
  })
