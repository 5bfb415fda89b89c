/**
 * The examples in the connectors' pages as they stand, against the sources of their samples: everything that is to be read of
 * them is read, payments by each example. Those of tables and files are in `test/connectors/files/pageExamples.test.ts`.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import * as Document from "../../../connectors/Document.ts"
import { connectors } from "../../../connectors/index.ts"
import { fold, run, type Subject } from "../../../connectors/testing/Subject.ts"

/** Their columns and files are a seller's own. */
const OWN = ["einvoice", "files", "ledger", "sql"]

/** Whose books they are: the source of a sample knows its own only. */
const ACCOUNTS = "business certificate company database division merchant organization store tenant".split(" ")

type Settings = { readonly [setting: string]: { readonly env?: string } }

const examplesOf = (name: string): ReadonlyArray<Settings> =>
  [...readFileSync(`connectors/${name}/README.md`, "utf8").matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
    ([, text = ""]) => {
      const { connector, ...settings } = JSON.parse(text)
      assert.strictEqual(connector, name)
      return settings
    }
  )

/** The same with the accounts and secrets that the source of the sample knows. */
const asked = (example: Settings, subject: Subject): Subject => {
  const own = subject.settings as Settings
  const accounts = Object.entries(own).filter(([setting]) => ACCOUNTS.includes(setting))
  const secrets = Object.entries(example).flatMap(([setting, { env }]) =>
    env === undefined ? [] : [[env, subject.environment?.[own[setting]?.env ?? ""] ?? "secret"]]
  )
  return {
    ...subject,
    settings: { ...example, ...Object.fromEntries(accounts) },
    environment: Object.fromEntries(secrets)
  }
}

const kindsOf = (texts: Iterable<string>) =>
  [...new Set([...texts].map((text) => Document.decode(text).kind))].toSorted()

const readBy = async (example: Settings, subject: Subject) => {
  const stage = subject.open()
  try {
    const { error, pages } = await run(asked(example, subject), stage)
    assert.isUndefined(error, error?.message)
    return fold(pages)
  } finally {
    stage.close?.()
  }
}

describe("the examples of a connector's page", { timeout: 60_000 }, () => {
  for (const { name, sample } of connectors.filter(({ name }) => !OWN.includes(name)))
    it(`read what the source has, with its payments: ${name}`, async () => {
      const { subject } = await sample()
      const wanted = kindsOf(subject.golden)
      const read: Array<string> = []
      for (const example of examplesOf(name)) {
        const documents = await readBy(example, subject)
        if (wanted.includes("payment")) assert.include(kindsOf(documents.values()), "payment")
        read.push(...documents.values())
      }
      assert.deepStrictEqual(kindsOf(read), wanted)
    })
})
