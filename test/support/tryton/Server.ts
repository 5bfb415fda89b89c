/**
 * Starts a real Tryton server with a company's books, in a folder of its own, and edits them over JSON-RPC as a clerk would. If
 * Tryton is not installed, the result says so, and the test is skipped.
 */
import { spawnSync } from "node:child_process"
import { hash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { answers, binary, freePort, must, start } from "../Servers.ts"

export const PASSWORD = "t7yt0n-pa55word"
export const DATABASE = "books"

/** The output of `setup.py`. */
interface Books {
  readonly company: number
  readonly currency: number
  readonly journal: number
  readonly purchases: number
  readonly receivable: number
  readonly payable: number
  readonly revenue: number
  readonly expense: number
  readonly tax: number
  readonly whole: number
  readonly halves: number
  readonly method: number
  readonly writeoff: number
  readonly today: string
  readonly parties: ReadonlyArray<{ readonly party: number; readonly address: number }>
}

/** Prints the versions of everything that goes into an empty database, without importing it, which would take a second. */
const VERSIONS = `import importlib.metadata
there = {one.name.replace("_", "-"): one.version for one in importlib.metadata.distributions() if one.name}
print(sorted(one for one in there.items() if one[0].startswith(("trytond", "proteus"))))`
const WANTED = ["proteus", "trytond-account-invoice"]

/** Where an empty database is cached between runs: creating one takes a third of the time of these tests. */
const KEPT = fileURLToPath(new URL("../../../node_modules/.cache/daybook", import.meta.url))

export const decimal = (text: string) => ({ __class__: "Decimal", decimal: text })
export const date = (text: string) => {
  const [year, month, day] = text.split("-").map(Number)
  return { __class__: "date", year, month, day }
}

/** A plain value of another record's field: a decimal's text, or the value itself. */
const plain = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "decimal" in value ? value.decimal : value

export interface Clerk {
  readonly books: Books
  readonly call: <A>(method: string, ...params: ReadonlyArray<unknown>) => Promise<A>
  /** Drafts a customer invoice from its lines' net amounts, with 20 % tax, or a purchase without; returns its id. */
  readonly draft: (net: ReadonlyArray<string>, more?: object) => Promise<number>
  readonly post: (...ids: ReadonlyArray<number>) => Promise<void>
  readonly pay: (id: number, amount: string, more?: { readonly type: "partial" | "writeoff" }) => Promise<void>
  /** Returns the credit note's id. */
  readonly credit: (id: number, refund: boolean) => Promise<number>
  readonly read: (id: number, ...fields: ReadonlyArray<string>) => Promise<Readonly<Record<string, unknown>>>
  /** Runs a wizard on records: the form and the button of each step. */
  readonly wizard: (
    name: string,
    model: string,
    ids: ReadonlyArray<number>,
    ...steps: ReadonlyArray<readonly [form: object, button: string]>
  ) => Promise<void>
}

export interface Tryton {
  readonly url: string
  readonly clerk: Clerk
  readonly stop: () => Promise<void>
}

/** Starts it, or says why it cannot. */
export const tryton = async (): Promise<Tryton | string> => {
  // The system's own Python, even if another one comes first in the path.
  const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : (binary("python3") ?? "python3")
  const versions = spawnSync(python, ["-W", "ignore", "-c", VERSIONS], { encoding: "utf8" })
  const isThere = (name: string): boolean => versions.stdout.includes(`'${name}'`)
  if (versions.status !== 0 || !WANTED.every(isThere))
    return "Tryton (tryton-server, tryton-modules-account-invoice, tryton-proteus) is not installed here"
  const folder = mkdtempSync(join(tmpdir(), "daybook-tryton-"))
  const data = join(folder, "data")
  mkdirSync(data)
  const settings = join(folder, "trytond.conf")
  const place = `[database]\nuri = sqlite://\npath = ${data}\n`
  writeFileSync(settings, place)
  writeFileSync(join(folder, "password"), PASSWORD)
  const database = join(data, `${DATABASE}.sqlite`)
  const env = { ...process.env, TRYTONPASSFILE: join(folder, "password"), PYTHONWARNINGS: "ignore" }
  const activate = ["-u", "account_invoice", "--activate-dependencies", "--email", "clerk@example.com"]
  const empty = join(KEPT, `tryton-${hash("sha256", versions.stdout + activate.join(" ") + PASSWORD)}.sqlite`)
  if (existsSync(empty)) copyFileSync(empty, database)
  else {
    writeFileSync(database, "")
    must(python, [join(import.meta.dirname, "activate.py"), "-c", settings, "-d", DATABASE, ...activate], {
      cwd: folder,
      env
    })
    mkdirSync(KEPT, { recursive: true })
    // Renamed only when complete.
    copyFileSync(database, `${empty}.${process.pid}`)
    renameSync(`${empty}.${process.pid}`, empty)
  }
  // Chosen late: until the server listens, another program may take it.
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  writeFileSync(settings, `${place}[web]\nlisten = 127.0.0.1:${port}\n`)
  const ids = join(folder, "books.json")
  const setup = join(import.meta.dirname, "setup.py")
  const { child, said, stop } = start(python, [setup, settings, DATABASE, ids], { cwd: folder, env }, "SIGKILL")
  while (!existsSync(ids)) {
    if (child.exitCode !== null) throw new Error(`Tryton's books could not be made: ${said()}`)
    await setTimeout(50)
  }
  const books = JSON.parse(readFileSync(ids, "utf8")) as Books
  const send = async (body: object, headers: Record<string, string>) => {
    const answer = await fetch(`${url}/${DATABASE}/`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    if (!answer.ok) throw new Error(`Tryton answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { readonly result: unknown; readonly error?: unknown }
  }
  let session = ""
  await answers(child, said, async () => {
    const { result } = await send({ id: 0, method: "common.db.login", params: ["admin", { password: PASSWORD }] }, {})
    const [user, token] = result as readonly [number, string]
    session = `Session ${Buffer.from(`admin:${user}:${token}`).toString("base64")}`
  })
  const call: Clerk["call"] = async <A>(method: string, ...params: ReadonlyArray<unknown>) => {
    const { error, result } = await send({ id: 1, method, params }, { authorization: session })
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}\n${said()}`)
    return result as A
  }
  return { url, clerk: clerkOf(books, call), stop: () => stop(folder) }
}

const clerkOf = (books: Books, call: Clerk["call"]): Clerk => {
  const context = { company: books.company }
  const wizard: Clerk["wizard"] = async (name, model, ids, ...steps) => {
    const within = { ...context, active_model: model, active_ids: ids, active_id: ids[0] }
    const [session] = await call<readonly [number]>(`wizard.${name}.create`, within)
    for (const [form, button] of steps) await call(`wizard.${name}.execute`, session, form, button, within)
    await call(`wizard.${name}.delete`, session, within)
  }
  const read: Clerk["read"] = async (id, ...fields) => {
    const [found] = await call<ReadonlyArray<Record<string, unknown>>>(
      "model.account.invoice.read",
      [id],
      fields,
      context
    )
    return Object.fromEntries(fields.map((field) => [field, plain(found![field])]))
  }
  return {
    books,
    call,
    wizard,
    read,
    draft: async (net, more = {}) => {
      const type = "type" in more ? more.type : "out"
      const line = (price: string) => ({
        type: "line",
        company: books.company,
        currency: books.currency,
        account: type === "out" ? books.revenue : books.expense,
        description: "Tea",
        quantity: 1,
        unit_price: decimal(price),
        taxes: type === "out" ? [["add", [books.tax]]] : []
      })
      const [first] = books.parties
      const values = {
        type,
        company: books.company,
        currency: books.currency,
        party: first!.party,
        invoice_address: first!.address,
        journal: books.journal,
        account: books.receivable,
        payment_term: books.whole,
        invoice_date: date(books.today),
        lines: [["create", net.map(line)]],
        ...more
      }
      const [id] = await call<readonly [number]>("model.account.invoice.create", [values], context)
      return id
    },
    post: async (...ids) => void (await call("model.account.invoice.post", ids, context)),
    pay: async (id, amount, more) => {
      const start = {
        amount: decimal(amount),
        company: books.company,
        currency: books.currency,
        currency_digits: 2,
        invoice_account: books.receivable,
        payment_method: books.method,
        date: date(books.today),
        description: null
      }
      if (more === undefined)
        return wizard("account.invoice.pay", "account.invoice", [id], [{}, "start"], [{ start }, "choice"])
      const ask = {
        type: more.type,
        writeoff: more.type === "writeoff" ? books.writeoff : null,
        amount: decimal(amount),
        currency: books.currency,
        currency_digits: 2,
        currency_writeoff: books.currency,
        currency_digits_writeoff: 2,
        company: books.company,
        invoice: id,
        date: date(books.today),
        lines: ((await read(id, "lines_to_pay"))["lines_to_pay"] ?? []) as ReadonlyArray<number>,
        lines_to_pay: [],
        payment_lines: []
      }
      await wizard(
        "account.invoice.pay",
        "account.invoice",
        [id],
        [{}, "start"],
        [{ start }, "choice"],
        [{ start, ask }, "pay"]
      )
    },
    credit: async (id, refund) => {
      const start = { invoice_date: date(books.today), with_refund: refund, with_refund_allowed: refund }
      await wizard("account.invoice.credit", "account.invoice", [id], [{}, "start"], [{ start }, "credit"])
      const found = await call<ReadonlyArray<{ readonly id: number }>>(
        "model.account.invoice.search_read",
        [],
        0,
        1,
        [["id", "DESC"]],
        ["id"],
        context
      )
      return found[0]!.id
    }
  }
}
