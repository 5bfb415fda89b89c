/**
 * What a connector still has to be told: the settings that it does not work without, found by decoding what there is. So
 * those of third-party connectors are found in the same way.
 */
import { Result, Schema, type SchemaIssue } from "effect"
import type { Connector } from "../../connectors/Connector.ts"

export interface SourceNeed {
  readonly name: string
  /** Its settings name a variable; the value is never written into them. */
  readonly secret: boolean
}

/** What a person is asked for although the connector does without: `"token": "ask"`. */
const ASK = "ask"

type Settings = Readonly<Record<string, unknown>>

type Path = ReadonlyArray<PropertyKey>

interface Found {
  readonly path: Path
  readonly missing: boolean
}

const walk = (issue: SchemaIssue.Issue, path: Path): ReadonlyArray<Found> => {
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((one) => walk(one, path))
    default:
      return [{ path, missing: issue._tag === "MissingKey" }]
  }
}

const issuesOf = ({ settings: schema }: Connector, settings: Settings): ReadonlyArray<Found> => {
  const read = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(settings)
  return Result.isSuccess(read) ? [] : walk(read.failure.issue, [])
}

/** Of settings that the file gives, without those that it leaves to a person. */
export const givenOf = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ASK))

/** Whether a setting can have this value. */
export const accepts = (connector: Connector, settings: Settings, name: string, value: unknown): boolean =>
  !issuesOf(connector, { ...settings, [name]: value }).some(({ path }) => path[0] === name)

/** @param settings what is known, `connector` left out */
export const needsOf = (connector: Connector, settings: Settings): ReadonlyArray<SourceNeed> => {
  const given = givenOf(settings)
  const asked = Object.keys(settings).filter((name) => settings[name] === ASK)
  const missing = issuesOf(connector, given).flatMap(({ missing, path }) =>
    missing && path.length === 1 ? [String(path[0])] : []
  )
  const isSecret = (name: string) => accepts(connector, given, name, { env: "VARIABLE" })
  const needed = [...new Set([...missing, ...asked])].map((name) => ({ name, secret: isSecret(name) }))
  return [...needed, ...keyOf(connector, [...needed.filter(({ secret }) => secret), ...secretsOf(given)], isSecret)]
}

const secretsOf = (given: Settings): ReadonlyArray<unknown> =>
  Object.values(given).filter((one) => typeof one === "object" && one !== null && "env" in one)

/** What a key is called, the likeliest first. */
const KEYS = ["token", "key", "password"]

/** A connector that lets in by a key, and has several ways to give one, needs the first of them. */
const keyOf = (
  { capabilities: { authorises } }: Connector,
  known: ReadonlyArray<unknown>,
  isSecret: (name: string) => boolean
): ReadonlyArray<SourceNeed> => {
  const name = KEYS.find(isSecret)
  return authorises !== "key" || known.length > 0 || name === undefined ? [] : [{ name, secret: true }]
}
