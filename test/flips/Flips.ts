/**
 * Single expressions, each turned into its opposite or its neighbour: `===` into `!==`, `<` into `<=`, `some` into `every`, `1n`
 * into `2n`. They are found in TypeScript's syntax tree, so that nobody has to write one down, and no change of the source makes
 * one void.
 */
import {
  type BinaryExpression,
  type ConditionalExpression,
  type IfStatement,
  type Node,
  type PrefixUnaryExpression,
  type PropertyAccessExpression,
  SyntaxKind
} from "typescript/unstable/ast"
import { API } from "typescript/unstable/sync"

export interface Flip {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly start: number
  readonly end: number
  readonly from: string
  readonly to: string
}

/** What an operator or a method becomes. */
const OTHER: ReadonlyMap<string, string> = new Map(
  [
    ["===", "!=="],
    ["<", "<="],
    [">", ">="],
    ["&&", "||"],
    ["+", "-"],
    ["*", "/"],
    ["some", "every"],
    ["min", "max"],
    ["startsWith", "endsWith"],
    ["true", "false"]
  ].flatMap(([one = "", two = ""]) => [[one, two] as const, [two, one] as const])
)

/** What stands in types means nothing when it runs. */
const isType = ({ kind }: Node): boolean =>
  (kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode) ||
  kind === SyntaxKind.InterfaceDeclaration ||
  kind === SyntaxKind.TypeAliasDeclaration

type Change = readonly [node: Node, to: string]

/** What a node becomes, and which part of it; undefined if nothing of it is flipped. */
const changeOf = (node: Node): Change | undefined => {
  const swap = (part: Node): Change | undefined => {
    const to = OTHER.get(part.getText())
    return to === undefined ? undefined : [part, to]
  }
  switch (node.kind) {
    case SyntaxKind.BinaryExpression:
      return swap((node as BinaryExpression).operatorToken)
    case SyntaxKind.PropertyAccessExpression:
      return swap((node as PropertyAccessExpression).name)
    case SyntaxKind.TrueKeyword:
    case SyntaxKind.FalseKeyword:
      return swap(node)
    case SyntaxKind.PrefixUnaryExpression:
      return /^[!-]/.test(node.getText()) ? [node, (node as PrefixUnaryExpression).operand.getText()] : undefined
    case SyntaxKind.BigIntLiteral:
    case SyntaxKind.NumericLiteral: {
      const [, digits, big] = /^(\d+)(n?)$/.exec(node.getText().replaceAll("_", "")) ?? []
      return digits === undefined ? undefined : [node, `${BigInt(digits) + 1n}${big}`]
    }
    case SyntaxKind.ConditionalExpression: {
      const { condition, whenFalse, whenTrue } = node as ConditionalExpression
      return [node, `${condition.getText()} ? ${whenFalse.getText()} : ${whenTrue.getText()}`]
    }
    case SyntaxKind.IfStatement: {
      const { expression } = node as IfStatement
      // Others are flipped by their operator.
      const hasOperator =
        expression.kind === SyntaxKind.BinaryExpression || expression.kind === SyntaxKind.PrefixUnaryExpression
      return hasOperator ? undefined : [expression, `!(${expression.getText()})`]
    }
    default:
      return undefined
  }
}

/** All flips of these files, in their order; `folder` is where they and a `tsconfig.json` that has them are. */
export const flipsOf = (folder: string, files: ReadonlyArray<string>): ReadonlyArray<Flip> => {
  const api = new API({ cwd: folder })
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${folder}/tsconfig.json`] }).getProjects()
    return files.flatMap((file) => {
      const source = project?.program.getSourceFile(`${folder}/${file}`)
      if (source === undefined) throw new Error(`${file} cannot be read`)
      const found: Array<Flip> = []
      const walk = (node: Node): void => {
        if (isType(node)) return
        const change = changeOf(node)
        if (change !== undefined) {
          const [part, to] = change
          const start = part.getStart()
          const line = source.text.slice(0, start).split("\n").length
          found.push({ file, line, start, end: part.getEnd(), from: part.getText(), to })
        }
        node.forEachChild(walk)
      }
      walk(source)
      return found
    })
  } finally {
    api.close()
  }
}

/** The text of a file with one flip. */
export const flipped = (text: string, { end, start, to }: Flip): string => text.slice(0, start) + to + text.slice(end)
