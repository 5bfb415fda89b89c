/**
 * Finds third-party connectors among the packages of npm: those with the keyword `daybook-connector`. A package says in
 * `daybook.contract` which version of the contract it was written for.
 */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { CONTRACT } from "../connectors/Connector.ts"
import { UsageError } from "../sync/library/Exit.ts"

export const KEYWORD = "daybook-connector"
const MOST = 100
const TIMEOUT_MS = 20_000

export interface Found {
  readonly name: string
  readonly version: string
  readonly description: string
  /** The contract that it was written for; undefined if it does not say. */
  readonly contract: number | undefined
  readonly fits: boolean
}

type Loose = Readonly<Record<string, unknown>>
const members = (value: unknown): Loose => (typeof value === "object" && value !== null ? (value as Loose) : {})
const text = (value: unknown): string => (typeof value === "string" ? value : "")

const ask = async (url: string): Promise<Loose> => {
  const answer = await fetch(url, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`${new URL(url).host} answered ${answer.status}`)
  return members(await answer.json())
}

const read = async (registry: string, words: string): Promise<ReadonlyArray<Found>> => {
  const query = new URLSearchParams({ text: `keywords:${KEYWORD} ${words}`.trim(), size: String(MOST) })
  const { objects } = await ask(`${registry}/-/v1/search?${query}`)
  const names = (Array.isArray(objects) ? objects : []).map((one) => text(members(members(one)["package"])["name"]))
  return Promise.all(
    names
      .filter((name) => name !== "")
      .map(async (name) => {
        const its = await ask(`${registry}/${name.replace("/", "%2F")}/latest`)
        const said = members(its["daybook"])["contract"]
        const contract = typeof said === "number" ? said : undefined
        const [version, description] = [text(its["version"]), text(its["description"])]
        return { name, version, description, contract, fits: contract === CONTRACT }
      })
  )
}

/** The registry that npm itself uses here. */
const registryOfNpm = async (): Promise<string> => {
  const shell = process.platform === "win32"
  return (await promisify(execFile)("npm", ["config", "get", "registry"], { shell })).stdout.trim()
}

/** @param registry where to search; by default where npm does */
export const search = (words: string, registry = process.env["npm_config_registry"]) =>
  Effect.tryPromise({
    try: async () => read((registry ?? (await registryOfNpm())).replace(/(?<!\/)\/+$/, ""), words),
    catch: (cause) =>
      new UsageError({
        why: `the packages of npm cannot be searched: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })
