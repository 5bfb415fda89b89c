/**
 * Finds the route of a request. Most paths are written as in the interface, with at most one id, which is at the end: these
 * are found by their text. FindMyWay, which takes twice as long, finds all others.
 */
import * as FindMyWay from "effect/http/FindMyWay"

interface Found<Route> {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

interface Ending<Route> {
  readonly route: Route
  /** The name of its parameter. */
  readonly name: string
}

/** The routes of a method that are found by their text. */
interface Plain<Route> {
  readonly whole: Map<string, Route>
  /** By everything before the id at the end; only where nothing but an id can follow. */
  readonly ending: Map<string, Ending<Route>>
}

const LONGEST_PARAM = 4096
const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT"]

/** Ids that are written in a path as they are. */
const ID = /^[\w-]{1,64}$/

const NO_PARAMS = {}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

const plainOf = <Route extends { readonly path: string }>(routes: ReadonlyArray<Route>): Plain<Route> => {
  const trimmed = routes.map((route) => ({ route, path: route.path.replace(/\/$/, "") }))
  const whole = trimmed.filter(({ path }) => !path.includes(":"))
  const taken = new Set(whole.map(({ path }) => parentOf(path)))
  return {
    whole: new Map(whole.map(({ path, route }) => [path, route])),
    ending: new Map(
      trimmed
        .filter(({ path }) => /^[^:]*\/:\w+$/.test(path) && !taken.has(parentOf(path)))
        .map(({ path, route }) => [parentOf(path), { route, name: path.slice(path.indexOf(":") + 1) }])
    )
  }
}

export class Table<Route extends { readonly method: string; readonly path: FindMyWay.PathInput }> {
  readonly #all: FindMyWay.Router<Route>
  readonly #plain: ReadonlyMap<string, Plain<Route>>

  constructor(routes: ReadonlyArray<Route>) {
    this.#all = FindMyWay.make({
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: LONGEST_PARAM
    })
    for (const route of routes) this.#all.on(route.method, route.path, route)
    this.#plain = new Map(METHODS.map((method) => [method, plainOf(routes.filter((one) => one.method === method))]))
  }

  /** A literal path segment takes precedence over a parameter: `/companies/search` is not a company's id. */
  find(method: string, path: string): Found<Route> | undefined {
    const plain = this.#plain.get(method)
    if (plain !== undefined) {
      const at = path.lastIndexOf("/") + 1
      const ending = plain.ending.get(path.slice(0, at))
      if (ending !== undefined) {
        const id = path.slice(at)
        if (ID.test(id)) return { route: ending.route, params: { [ending.name]: id } }
      } else {
        const route = plain.whole.get(path)
        if (route !== undefined) return { route, params: NO_PARAMS }
      }
    }
    const found = this.#all.find(method, path)
    if (found === undefined) return undefined
    return { route: found.handler, params: found.params as Readonly<Record<string, string>> }
  }

  /** The methods that a path accepts; empty if the path is unknown. */
  methods(path: string): ReadonlyArray<string> {
    return METHODS.filter((method) => this.find(method, path) !== undefined)
  }
}
