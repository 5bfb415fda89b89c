/** A daemon with people of every role, and what each of them sends. */
import { hashPassword } from "../../sync/library/PasswordHash.ts"
import type { StoredPerson } from "../../sync/library/config/PersonsFile.ts"
import { books, configuration, INVOICES, service } from "./Cli.ts"
import { startDaemon } from "./Daemon.ts"
import { BANK, PASSWORD } from "./PageHouse.ts"

export type Written = Omit<StoredPerson, "password">

/** One hash is enough for all of them. */
const hashed = hashPassword(PASSWORD)

export const personsFile = async (people: ReadonlyArray<Written>): Promise<string> => {
  const password = await hashed
  return JSON.stringify({ persons: people.map((one) => ({ ...one, password })) })
}

export const signInAs = async (url: string, person: string, password = PASSWORD) => {
  const answer = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ person, password })
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const get = (path: string) => fetch(url + path, { headers: { cookie }, redirect: "manual" })
  const form = /name="form" value="([^"]+)"/.exec(await (await get("/people")).text())?.[1] ?? ""
  const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    fetch(url + path, {
      method: "POST",
      redirect: "manual",
      headers: { cookie },
      body: new URLSearchParams({ form, ...fields })
    })
  return { status: answer.status, cookie, form, get, post }
}

/** The invoices of another set of books, which are nobody's business in the first. */
const OTHERS = INVOICES.replaceAll("INV-", "OTH-").replace(/Harbour Lane|Brightwater|Tern/g, "Zephyrine")

/** Books with their bank, other books, and these people. */
export const peopled = async (people: ReadonlyArray<Written>, approve: unknown = true) => {
  const there = await service()
  const { connections, ...rest } = configuration(there.url)
  const [first] = connections
  const { payments: _, ...source } = first!.source
  const invoices = { ...source.invoices, path: "others.csv" }
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...rest,
      daemon: {
        page: { password: { env: "PAGE_PASSWORD" } },
        api: {
          tokens: [
            { name: "reads", token: { env: "READS" }, scopes: ["read"] },
            { name: "erp", token: { env: "ERP" }, scopes: ["read", "approve"] },
            { name: "adas", token: { env: "ADAS" }, scopes: ["read", "approve"], person: "ada" }
          ]
        }
      },
      connections: [
        { ...first, every: "1 hour", approve },
        { ...BANK },
        { ...first, id: "others", every: "1 hour", source: { ...source, invoices } }
      ]
    }),
    "daybook.persons.json": await personsFile(people),
    "others.csv": OTHERS,
    "bank.csv": "No,Day,Amount,From\n1,2026-03-22,24.00,Somebody Else\n"
  })
  const running = await startDaemon(here.folder, {
    env: {
      PAGE_PASSWORD: PASSWORD,
      READS: "reads-0123456789abcdef",
      ERP: "erp-0123456789abcdef",
      ADAS: "adas-0123456789abcdef"
    }
  })
  for (const id of ["books", "bank", "others"])
    await running.says(({ connection, outcome }) => connection === id && outcome !== undefined)
  return { here, running, url: running.url }
}

/** Runs the command with a line on its standard input. */
export const typing =
  (line: string) =>
  (node: string, program: string): readonly [string, ...ReadonlyArray<string>] => [
    "sh",
    "-c",
    `printf '%s\\n' '${line}' | "${node}" "${program}" "$@"`,
    "sh"
  ]
