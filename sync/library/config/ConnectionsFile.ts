/**
 * Reads and writes the file of connections that other people made by a link. It is beside the configuration, and only the
 * daemon writes it. Its connections are read after the configuration's own, as if they were written there. A person may
 * remove one while no daemon runs; what was read and sent stays in the state file.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { connectors } from "../../../connectors/list.ts"
import { leadsHere } from "../../../core/Reach.ts"
import { partialOf } from "../../../core/TemporaryFolder.ts"
import type { ConnectSettings } from "./ConnectSettings.ts"
import type { Bounds } from "../../model/Bounds.ts"
import * as JsonText from "./JsonText.ts"
import { settingsText } from "./Largest.ts"

/** A connection in the format of the configuration. */
export type WrittenConnection = Readonly<Record<string, unknown>> & { readonly id: string }

/** `daybook.connections.json` beside `daybook.config.json`. */
export const fileOf = (configuration: string): string =>
  join(dirname(configuration), `${basename(configuration).replace(/(?:\.config)?\.[a-z]+$/, "")}.connections.json`)

/** The file's contents; empty if it does not exist. Throws an error that says what is wrong with it. */
export const read = (file: string, bounds?: Bounds): ReadonlyArray<WrittenConnection> =>
  existsSync(file) ? parsed(settingsText(file, bounds !== undefined)) : []

/** Throws an error that says what is wrong with this text. */
export const parsed = (text: string): ReadonlyArray<WrittenConnection> => {
  const { connections } = (JsonText.parse(text) ?? {}) as { readonly connections?: unknown }
  if (!Array.isArray(connections)) throw new Error("it has no list `connections`; restore it from a backup")
  return connections as ReadonlyArray<WrittenConnection>
}

/** A configuration with these connections after its own, whose number is given. */
export const joined = (
  value: unknown,
  more: ReadonlyArray<WrittenConnection>
): { readonly value: unknown; readonly own: number } => {
  const { connections } = (value ?? {}) as { readonly connections?: unknown }
  if (more.length === 0 || !Array.isArray(connections)) return { value, own: Number.POSITIVE_INFINITY }
  return { value: { ...(value as object), connections: [...connections, ...more] }, own: connections.length }
}

/** A problem with one of the joined connections, with its place in its own file. */
export const placed = (problem: string, own: number, file: string): string =>
  problem.replace(/^connections\[(\d+)\]/, (place, index) =>
    Number(index) < own ? place : `${basename(file)}: connections[${Number(index) - own}]`
  )

/**
 * Where those may lead whose address was entered by who opened a link, by their ids: to the internet, or anywhere if the pages of
 * links are on this machine alone, to be tried out.
 */
export const entered = (
  made: ReadonlyArray<WrittenConnection>,
  connect: Pick<ConnectSettings, "sources" | "url"> | undefined
): ReadonlyMap<string, "internet" | "anywhere"> => {
  const where = connect !== undefined && leadsHere(connect.url) ? "anywhere" : "internet"
  const theirs = made.filter(({ source }) => {
    const { connector, url } = (source ?? {}) as { readonly connector?: unknown; readonly url?: unknown }
    const offered = connect?.sources.find((one) => one.connector === connector)
    // Of a connector that is not ours, nobody knows which setting leads where.
    const isAsked = !connectors.some(({ name }) => name === connector) && Object.values(offered ?? {}).includes("ask")
    return isAsked || (url !== undefined && url !== offered?.["url"])
  })
  return new Map(theirs.map(({ id }) => [id, where]))
}

/** Writes connections, replacing those with the same ids, atomically. */
export const put = (file: string, made: ReadonlyArray<WrittenConnection>, gone: ReadonlyArray<string> = []): void => {
  const replaced = [...gone, ...made.map(({ id }) => id)]
  const connections = [...read(file).filter(({ id }) => !replaced.includes(id)), ...made]
  const partial = partialOf(file)
  writeFileSync(partial, `${JSON.stringify({ connections }, null, 2)}\n`, { mode: 0o600 })
  sync(partial)
  renameSync(partial, file)
  if (process.platform !== "win32") sync(dirname(file))
}

const sync = (path: string): void => {
  const opened = openSync(path, "r")
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
