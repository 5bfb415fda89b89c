/**
 * Creates a first configuration for a source other than files: `daybook init xero`. Asks for the connector's required
 * settings; secrets are never written, only the names of the variables that hold them.
 */
import { Clock, Effect } from "effect"
import type { Connector } from "../../connectors/Connector.ts"
import { connectors } from "../../connectors/list.ts"
import * as Day from "../../core/wire/Day.ts"
import { sourceText } from "./config/schema/SourceTexts.ts"
import type { Config } from "./config/Configuration.ts"
import { UsageError } from "./Exit.ts"
import { type InitOptions, ownerOf, SANDBOX_URL, type SetupAnswers, type SetupQuestion } from "./FirstConfiguration.ts"
import { accepts, needsOf } from "./SourceNeeds.ts"
import * as VariableNames from "./VariableNames.ts"

export interface SourceInitial {
  readonly config: Config
  readonly questions: ReadonlyArray<SetupQuestion>
  /** Variables that must be set, and what each one holds. */
  readonly variables: ReadonlyArray<{ readonly name: string; readonly text: string }>
  /** The source has a page on which a person authorises Daybook. */
  readonly authorises: boolean
}

/** Whether a word names a connector that is set up by questions; for files, the files are examined instead. */
export const isSourceName = (name: string): boolean => name !== "files" && connectors.some((one) => one.name === name)

/** Placeholders for an organisation that only the source's own page shows. */
const SHOWN_LATER = ["shown-by-daybook-connect", "0"]

const questionOf = (connector: Connector, name: string): SetupQuestion => {
  const later =
    connector.authorisation === undefined ? undefined : SHOWN_LATER.find((value) => accepts(connector, {}, name, value))
  return {
    answer: `set.${name}`,
    flag: `--set ${name}=VALUE`,
    what: name,
    ask: `${name}: ${sourceText(connector.name, name)}`.replace(/\.$/, "?"),
    ...(later === undefined ? {} : { suggestion: later })
  }
}

/** Names the variable for a secret of a connection: `XERO_CLIENT_ID`. `set` is what was answered, such as an address. */
export type NameVariable = (id: string, secret: string, set: Readonly<Record<string, string>>) => string

const named: NameVariable = (id, secret) => VariableNames.plain([id, secret], new Set())

export const sourceInitial = (
  name: string,
  { accept = false, answers: given = {}, url = SANDBOX_URL }: InitOptions = {},
  variableOf: NameVariable = named
): Effect.Effect<SourceInitial, UsageError> =>
  Effect.gen(function* () {
    const entry = connectors.find((one) => one.name === name)
    if (entry === undefined || !isSourceName(name)) return yield* new UsageError({ why: `there is no source ${name}` })
    if (name === "sql")
      return yield* new UsageError({
        why: "a database needs a query for each list, which only you know: write its connection by hand, as connectors/sql/README.md shows"
      })
    const connector = yield* Effect.promise(() => entry.load())
    const answers = accept ? accepted(connector, given) : given
    const { set = {} } = answers
    const unknown = Object.keys(set).filter((one) => sourceText(name, one) === "")
    if (unknown.length > 0)
      return yield* new UsageError({ why: `--set ${unknown[0]}: ${name} has no setting of this name` })
    const needs = needsOf(connector, set)
    const secrets = needs.filter(({ secret }) => secret)
    const seller = answers.name ?? name
    const now = yield* Clock.currentTimeMillis
    const { id = name } = answers
    const variables = secrets.map((one) => ({ ...one, variable: variableOf(id, one.name, set) }))
    const keys = Object.fromEntries(variables.map((one) => [one.name, { env: one.variable }]))
    const connection = {
      id,
      source: { connector: name, ...set, ...keys },
      owner: ownerOf(seller, Day.fromEpochMillis(now))
    }
    return {
      config: { service: { url, key: { env: "SERVICE_KEY" } }, connections: [connection] } as Config,
      questions: [
        ...needs.filter(({ secret }) => !secret).map((one) => questionOf(connector, one.name)),
        ...(answers.name === undefined ? [SELLER] : [])
      ],
      variables: variables.map((one) => ({ name: one.variable, text: sourceText(name, one.name) })),
      authorises: connector.authorisation !== undefined
    }
  })

/** Fills in placeholders for what only the source's own page shows, unless answered. */
const accepted = (connector: Connector, answers: SetupAnswers): SetupAnswers => {
  const later = needsOf(connector, answers.set ?? {}).flatMap(({ name, secret }) => {
    const { suggestion } = questionOf(connector, name)
    return secret || suggestion === undefined ? [] : [[name, suggestion] as const]
  })
  return { ...answers, set: { ...answers.set, ...Object.fromEntries(later) } }
}

const SELLER: SetupQuestion = {
  answer: "name",
  flag: "--name NAME",
  what: "seller",
  ask: "What is the seller called, whose books these are?"
}
