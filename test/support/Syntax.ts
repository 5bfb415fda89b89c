/**
 * Reads our own sources with the compiler, to find functions and their lengths.
 */
import { API } from "typescript/unstable/sync"
import type { Node, SourceFile } from "typescript/unstable/ast"
import { isFunctionLikeDeclaration, isIdentifier, isVariableDeclaration } from "typescript/unstable/ast/is"
import { join } from "node:path"

/** Together these contain every file; the second has the code for browsers. */
const PROJECTS = ["tsconfig.json", "core/tsconfig.browser.json"]

export interface FunctionLength {
  readonly path: string
  /** The first line, counted from 1. */
  readonly line: number
  /** The name of the function or of the variable it is assigned to; empty for a function passed as an argument. */
  readonly name: string
  /** Including its signature; a nested function counts for both. */
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
