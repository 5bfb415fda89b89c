/**
 * Generates the files of `daybook connectors new NAME`: a source of invoices over HTTP, declared as data, with its mapping and
 * fixtures. It passes the conformance kit unchanged, so that a developer sees what each change breaks.
 */
import { CONTRACT } from "../connectors/Connector.ts"
import { KEYWORD } from "./ConnectorSearch.ts"

/** In the package, which is beside the connector where somebody writes one. */
export const GUIDE = "node_modules/daybook/connectors/GUIDE.md"

const connector = (
  name: string
) => `/** ${name}: invoices over HTTP, by a key. What each record means is in Mapping.ts. */
import { Http, Rest } from "daybook/connectors"
import { Schema } from "effect"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({ key: Rest.secret("${name.toUpperCase().replaceAll("-", "_")}_KEY"), url: Schema.optionalKey(Http.Url) })
type Settings = typeof Settings.Type

export const connector = Rest.make({
  name: "${name}",
  title: "${name}: invoices",
  settings: Settings,
  kinds: ["invoice"],
  // How it learns of deletions: here a deleted invoice has another status.
  deletions: "status",
  // Edits that no list shows, in words.
  blindSpots: [],
  limits: { perMinute: 60, atOnce: 2 },
  base: ({ url }) => url ?? "https://api.${name}.example",
  authorise: Rest.bearer(({ key }: Settings) => key),
  // How far a later reading reaches back, so that what was committed late is seen.
  overlapSeconds: 300,
  lists: [
    {
      name: "invoices",
      kind: "invoice",
      path: "/invoices",
      records: "invoices",
      query: { sort: "id" },
      size: { most: 100, param: "limit" },
      // Where the source can be asked for what follows an id, do that instead: { by: "last id", param: "after" }.
      pagination: { by: "page", param: "page", total: "total", more: "more" },
      changes: { since: "updated_since", inclusive: true },
      decode: () => Mapping.invoice
    }
  ]
})
`

const mapping = `/** A record of the source as documents. Pure: no request, no clock. What it cannot read it throws, and the record is quarantined. */
import { Json } from "daybook/connectors"

const STATUSES = { draft: "draft", sent: "open", paid: "paid", cancelled: "void" } as const

export const invoice = (fields: Json.Fields): Json.Decoded => {
  const id = fields.text("id")
  const currency = fields.currency("currency")
  return {
    documents: [
      {
        kind: "invoice",
        id,
        number: fields.maybe("number") ?? id,
        status: fields.meaning("status", STATUSES),
        party: { name: fields.text("customer.name") },
        currency,
        issued: fields.day("issued"),
        due: fields.day("due"),
        gross: fields.major("total", currency)
      }
    ]
  }
}
`

const sample = `/** Fixtures, how the source answers over them, and the documents that they must become. */
import { copy, digits, type Subject } from "daybook/testing"
import { connector } from "./Connector.ts"

const invoice = (id: string, status: string, total: string) => ({
  id,
  number: \`No. \${id}\`,
  status,
  customer: { name: "Harbour Tea Ltd" },
  currency: "GBP",
  issued: "2026-01-31",
  due: "2026-03-02",
  total,
  updated: "2026-02-01T10:00:00.000Z"
})

/** As many invoices more, for the kit to count requests. */
const grow = (records: Array<object>, count: number) => {
  for (let n = 0; n < count; n++) records.push(...copy([invoice(\`n\${n}\`, "sent", "120.00")]))
}

const golden = (id: string, status: string, gross: string) =>
  \`{"kind":"invoice","id":"\${id}","number":"No. \${id}","status":"\${status}","party":{"name":"Harbour Tea Ltd"},"currency":"GBP","issued":"2026-01-31","due":"2026-03-02","gross":"\${gross}n"}\`

export const subject: Subject = {
  connector,
  settings: { key: { env: "SAMPLE_KEY" } },
  environment: { SAMPLE_KEY: "sample-secret" },
  golden: [
    golden("a", "open", "12000000000"),
    golden("b", "paid", "5010000000"),
    golden("c", "void", "100000000"),
    golden("d", "draft", "100000000")
  ],
  open: () => {
    const records = copy([
      invoice("a", "sent", "120.00"),
      invoice("b", "paid", "50.10"),
      invoice("c", "cancelled", "1.00"),
      invoice("d", "draft", "1.00")
    ])
    return {
      source: {
        lists: {
          invoices: {
            records,
            id: "id",
            stamp: (record, millis) => {
              record.updated = millis === null ? null : new Date(millis).toISOString()
            }
          }
        },
        answer: ({ headers, path, query }, paging) => {
          if (path !== "/invoices") return undefined
          if (headers["authorization"] !== "Bearer sample-secret") return { status: 401, body: {} }
          const changed = records
            .filter(({ updated }) => String(updated) >= (query.get("updated_since") ?? ""))
            .sort((a, b) => (a.id < b.id ? -1 : 1))
          const { more, records: page } = paging.numbered(changed, Number(query.get("page")), query.get("limit"))
          return { body: { invoices: page, more, total: changed.length } }
        }
      },
      grow: (count) => grow(records, count),
      malform: () => {
        records[0].total = "a hundred"
        return "a hundred"
      },
      remove: () => {
        records[0].status = "cancelled"
        records[0].updated = "2026-03-01T12:30:00.000Z"
        return "invoice/a"
      },
      enlarge: () => {
        records[0].total = digits("90071992547409.93")
        return { document: "invoice/a", amount: "90071992547409.93" }
      }
    }
  }
}
`

/** Daybook runs TypeScript directly; this is for editors, and for tsc. */
const tsconfig = `{
  "compilerOptions": {
    "target": "esnext",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["esnext", "dom"],
    "types": [],
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true
  }
}
`

const readme = (name: string) => `# ${name}

A connector of Daybook: invoices of ${name} over HTTP.

| file | question |
|---|---|
| Mapping.ts | what does a record mean? |
| Connector.ts | how do I get all records, and then what changed? |
| Sample.ts | what must come out? |

How to write each of them: ${GUIDE}.

\`\`\`sh
daybook connectors test ${name}     # the conformance kit, after each change
npx tsc -p ${name}                  # types, where daybook, effect and typescript are installed
\`\`\`

In daybook.config.json: \`"source": { "connector": "./${name}", "key": { "env": "${name.toUpperCase().replaceAll("-", "_")}_KEY" } }\`
`

/** For who publishes it: found by its keyword, and used by the program that has it beside it. */
const manifest = (name: string) =>
  `${JSON.stringify(
    {
      name: `daybook-connector-${name}`,
      version: "0.1.0",
      description: `Daybook connector: invoices of ${name}`,
      type: "module",
      keywords: [KEYWORD],
      daybook: { contract: CONTRACT },
      exports: { ".": "./Connector.ts", "./Sample": "./Sample.ts" },
      files: ["Connector.ts", "Mapping.ts", "Sample.ts", "README.md"],
      peerDependencies: { daybook: "*", effect: "*" }
    },
    undefined,
    2
  )}\n`

/** The files of a new connector, by name. */
export const files = (name: string): Readonly<Record<string, string>> => ({
  "Connector.ts": connector(name),
  "Mapping.ts": mapping,
  "Sample.ts": sample,
  "README.md": readme(name),
  "package.json": manifest(name),
  "tsconfig.json": tsconfig
})
