/**
 * What the compiler reads in our own sources: the functions in them, with their lengths.
 */
import { API } from "typescript/unstable/sync"
import type { Node, SourceFile } from "typescript/unstable/ast"
import { isFunctionLikeDeclaration, isIdentifier, isVariableDeclaration } from "typescript/unstable/ast/is"
import { join } from "node:path"

/** Between them they have every file: what runs in browsers is in the second. */
const PROJECTS = ["tsconfig.json", "core/tsconfig.browser.json"]

export interface FunctionLength {
  readonly path: string
  /** Where it begins, from 1. */
  readonly line: number
  /** Of the function, or of what it is the value of; of a function in another's arguments, nothing. */
  readonly name: string
  /** With its signature; a function inside another counts for both. */
  readonly lines: number
}

const nameOf = (node: Node): string => {
  const named = node as { readonly name?: Node }
  if (named.name !== undefined && isIdentifier(named.name)) return named.name.text
  const { parent } = node
  return isVariableDeclaration(parent) && isIdentifier(parent.name) ? parent.name.text : ""
}

const functionsIn = (path: string, source: SourceFile): ReadonlyArray<FunctionLength> => {
  const found: Array<FunctionLength> = []
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node: Node): void => {
    if (isFunctionLikeDeclaration(node)) {
      const line = lineOf(node.getStart(source))
      found.push({ path, line, name: nameOf(node), lines: lineOf(node.end) - line + 1 })
    }
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

/** Every function, method and arrow in these files. */
export const functionsOf = (paths: ReadonlyArray<string>): ReadonlyArray<FunctionLength> => {
  const root = process.cwd()
  const api = new API({ cwd: root })
  try {
    const projects = api.updateSnapshot({ openProjects: PROJECTS.map((project) => join(root, project)) }).getProjects()
    return paths.flatMap((path) => {
      for (const { program } of projects) {
        const source = program.getSourceFile(join(root, path))
        if (source !== undefined) return functionsIn(path, source)
      }
      throw new Error(`${path} is in no project of the compiler`)
    })
  } finally {
    api.close()
  }
}
