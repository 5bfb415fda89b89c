/**
 * Loads connectors that are not ours, from a folder or a package beside the configuration. Wherever they are, they get the
 * contract, the kit and the Effect library of the running Daybook, and they are checked before use.
 */
import { existsSync, readFileSync, statSync } from "node:fs"
import { createRequire, registerHooks } from "node:module"
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Connector, CONTRACT } from "../../connectors/Connector.ts"

/** This program's own module, beside this one; or the library's, if this is part of the bundle. */
export const library = (name: string): string => {
  const beside = [`../../connectors/${name}.ts`, `../lib/connectors/${name}.js`, `../../connectors/${name}.js`]
  const found = beside.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url))
  if (found === undefined) throw new Error("this Daybook was built without its library; run npm run build")
  return found.href
}

const MODULES: Readonly<Record<string, string>> = {
  "daybook/connectors": "index",
  "daybook/testing": "testing/index"
}

const homes = new Set<string>()

/**
 * Resolves a third-party connector's imports of Daybook and Effect to the running program, for the lifetime of the process.
 */
const welcome = (home: string): void => {
  if (homes.size === 0) {
    registerHooks({
      resolve: (specifier, context, next) => {
        const from = context.parentURL ?? ""
        if (![...homes].some((one) => from.startsWith(one))) return next(specifier, context)
        const ours = MODULES[specifier]
        if (ours !== undefined) return { url: library(ours), shortCircuit: true }
        return specifier === "effect" || specifier.startsWith("effect/")
          ? next(specifier, { ...context, parentURL: library("index") })
          : next(specifier, context)
      }
    })
  }
  homes.add(home)
}

/** Loads a module of a third-party connector's folder. */
export const load = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  const url = pathToFileURL(file).href
  welcome(url.slice(0, url.lastIndexOf("/") + 1))
  return import(url)
}

const ENTRIES = ["Connector.ts", "Connector.js", "index.ts", "index.js"]

/** Why a connector cannot be used; a sentence. */
export class Unusable extends Error {}

/** Whether a source names a folder or a file instead of one of our connectors. */
const isPath = (name: string): boolean => /^(\.{0,2}\/|\.{1,2}$|[A-Za-z]:[\\/])/.test(name)

const inFolder = (name: string, folder: string): string => {
  const path = resolve(folder, name)
  if (!existsSync(path)) throw new Unusable(`there is no folder ${path}`)
  if (!statSync(path).isDirectory()) return path
  const found = ENTRIES.map((entry) => join(path, entry)).find(existsSync)
  if (found !== undefined) return found
  if (existsSync(join(path, "package.json"))) return createRequire(join(path, "package.json")).resolve(path)
  throw new Unusable(`${path} contains none of ${ENTRIES.join(", ")}; one of them must export the connector`)
}

/** The file of a package that is installed beside the configuration; undefined if there is none. */
const inPackage = (name: string, folder: string): string | undefined => {
  try {
    return createRequire(join(folder, "daybook.config.json")).resolve(name)
  } catch {
    return undefined
  }
}

/** The file of a connector by folder, file or package; undefined if there is none with that name. */
export const fileOf = (name: string, folder: string): string | undefined =>
  isPath(name) ? inFolder(name, folder) : inPackage(name, folder)

/** A third-party connector by folder, file or package; undefined if there is none with that name. */
export const connector = async (name: string, folder: string): Promise<Connector | undefined> => {
  const file = fileOf(name, folder)
  return file === undefined ? undefined : inFile(file)
}

export const inFile = async (file: string): Promise<Connector> => {
  let module: Readonly<Record<string, unknown>>
  try {
    written(contractIn(file), file)
    module = await load(file)
  } catch (cause) {
    if (cause instanceof Unusable) throw cause
    throw new Unusable(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  return checked(module["connector"] ?? module["default"], file)
}

const MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: (value) => typeof value === "string" && value !== "",
  title: (value) => typeof value === "string",
  capabilities: (value) =>
    typeof value === "object" && value !== null && Array.isArray((value as { kinds?: unknown }).kinds),
  settings: (value) => typeof value === "object" || typeof value === "function",
  bookmark: (value) => typeof value === "object" || typeof value === "function",
  pull: (value) => typeof value === "function"
}

/** The version that its package says; what the connector itself states is that of the Daybook which loads it. */
const contractIn = (file: string): unknown => {
  const [folder, its] = [dirname(file), join(dirname(file), "package.json")]
  if (!existsSync(its)) return folder === file ? undefined : contractIn(folder)
  const said = JSON.parse(readFileSync(its, "utf8")) as { readonly daybook?: { readonly contract?: unknown } } | null
  return said?.daybook?.contract
}

const written = (contract: unknown, file: string): void => {
  if (typeof contract !== "number" || contract === CONTRACT) return
  const what = `it is written for version ${contract} of the contract, and this Daybook has version ${CONTRACT}`
  throw new Unusable(`${file}: ${what}; update ${contract > CONTRACT ? "Daybook" : "the connector"}`)
}

/** Checks that it is a connector, and its version of the contract. */
const checked = (value: unknown, file: string): Connector => {
  if (typeof value !== "object" || value === null) {
    throw new Unusable(`${file} exports no connector; write: export const connector = Connector.make({ ... })`)
  }
  const members = value as Readonly<Record<string, unknown>>
  const contract = members["contract"]
  written(contract, file)
  const wrong = Object.entries(MEMBERS)
    .filter(([name, fits]) => members[name] === undefined || !fits(members[name]))
    .map(([name]) => name)
  if (wrong.length > 0)
    throw new Unusable(
      `${file} exports no connector: ${wrong.join(", ")} ${wrong.length === 1 ? "is" : "are"} missing or wrong`
    )
  if (contract === undefined) {
    throw new Unusable(`${file} does not state its contract version; create the connector with Connector.make({ ... })`)
  }
  return value as Connector
}
