/** `daybook persons`: the people who sign in on the daemon's page with accounts of their own. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { join } from "node:path"
import { configIn } from "../../sync/library/config/ConfigFile.ts"
import * as PersonsFile from "../../sync/library/config/PersonsFile.ts"
import { messageOf, UsageError } from "../../sync/library/Exit.ts"
import { hashPassword, SHORTEST_PASSWORD } from "../../sync/library/PasswordHash.ts"
import { ROLE_NAMES, PERSON_ROLES, type PersonRole } from "../../sync/model/Roles.ts"
import { asker } from "../Ask.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { table } from "../render/Table.ts"

const nameArgument = Argument.String("name").pipe(
  Argument.withDescription("The name with which they sign in"),
  Argument.withMetavar("NAME")
)

const tenantsFlag = Flags.text("tenants", "FOLDER", "The people of a daemon with --tenants FOLDER")

/** The file beside the configuration, or in the folder of the tenants. */
const fileOf = (tenants: Option.Option<string>) =>
  Effect.gen(function* () {
    if (Option.isSome(tenants)) return PersonsFile.fileOf(join(tenants.value, "daybook.tenants.json"))
    const named = Option.getOrUndefined(yield* CommandContext.configFile) ?? configIn(".")
    if (named !== undefined) return PersonsFile.fileOf(named)
    return yield* new UsageError({
      why: "no configuration was found in this folder; name one with --config FILE, or the tenants' folder with --tenants FOLDER"
    })
  })

const usable = <A>(work: () => A) =>
  Effect.try({ try: work, catch: (error) => new UsageError({ why: messageOf(error) }) })

/** Changes the file: what is written must be readable again. */
const change = (
  file: string,
  changed: (all: ReadonlyArray<PersonsFile.StoredPerson>) => ReadonlyArray<PersonsFile.StoredPerson>
) => usable(() => PersonsFile.write(file, PersonsFile.checked(changed(PersonsFile.read(file)))))

const newPassword = (name: string) =>
  Effect.gen(function* () {
    const next = yield* asker
    const password = yield* next(`Password of ${name}`)
    if (password.length < SHORTEST_PASSWORD)
      return yield* new UsageError({
        why: `a password has at least ${SHORTEST_PASSWORD} characters; type it, or pipe it in as one line`
      })
    return yield* Effect.promise(() => hashPassword(password))
  })

const known = (file: string, name: string) =>
  Effect.flatMap(
    usable(() => PersonsFile.read(file).find((one) => one.name === name)),
    (found) => (found === undefined ? new UsageError({ why: `${file} has no ${name}` }) : Effect.succeed(found))
  )

/** `GBP=25000.00` by currency. */
const amounts = (written: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    written.map((text) => {
      const [code = "", amount = ""] = text.split("=")
      return [code, amount]
    })
  )

const add = Command.make(
  "add",
  {
    name: nameArgument,
    role: Flags.several("role", "ROLE", `What they may do: ${ROLE_NAMES.join(", ")}; can be given several times`),
    fullName: Flags.text("full-name", "NAME", "Recorded with decisions (default: the name)"),
    declares: Flag.Boolean("declares").pipe(
      Flag.withDescription("They may declare to the insurer"),
      Flag.withDefault(false)
    ),
    connection: Flags.several("connection", "ID", "Only this connection's books; can be given several times"),
    tenant: Flags.several("tenant", "NAME", "Only this tenant, where there are several"),
    upTo: Flags.several("up-to", "CURRENCY=AMOUNT", "The largest plan that they approve, like GBP=25000.00"),
    issuer: Flags.text("issuer", "URL", "They sign in at this OpenID Connect provider, and need no password here"),
    subject: Flags.text("subject", "ID", "Who they are there, as the page says when it refuses them"),
    tenants: tenantsFlag
  },
  Effect.fn(function* ({ connection, declares, fullName, issuer, name, role, subject, tenant, tenants, upTo }) {
    const out = yield* CommandContext.output
    const file = yield* fileOf(tenants)
    const unknown = role.find((one) => !PersonsFile.isRole(one))
    if (role.length === 0 || unknown !== undefined)
      return yield* new UsageError({ why: `--role ${unknown ?? ""}: one of ${ROLE_NAMES.join(", ")}` })
    if (yield* usable(() => PersonsFile.read(file).some((one) => one.name === name)))
      return yield* new UsageError({ why: `${name} is there already; change the roles in ${file}` })
    if (Option.isSome(issuer) !== Option.isSome(subject))
      return yield* new UsageError({
        why: "--issuer and --subject belong together: say who they are at which provider"
      })
    const known =
      Option.isSome(issuer) && Option.isSome(subject) ? { issuer: issuer.value, subject: subject.value } : undefined
    const made = {
      name,
      ...(Option.isNone(fullName) ? {} : { full_name: fullName.value }),
      roles: role as [PersonRole, ...Array<PersonRole>],
      ...(declares ? { declares } : {}),
      ...(connection.length === 0 ? {} : { connections: connection as [string, ...Array<string>] }),
      ...(tenant.length === 0 ? {} : { tenants: tenant as [string, ...Array<string>] }),
      ...(upTo.length === 0 ? {} : { up_to: amounts(upTo) }),
      ...(known === undefined ? {} : { openid_connect: known })
    }
    yield* usable(() => PersonsFile.checked([made]))
    const password = known === undefined ? { password: yield* newPassword(name) } : {}
    yield* change(file, (all) => [...all, { ...made, ...password }])
    yield* out.emit({ type: "person added", name, roles: role, file })
    yield* out.say(`${name} can sign in on the page as ${role.join(", ")}.`)
  })
).pipe(
  CommandContext.help(
    "Give a person an account: a name, a password and roles. The password is typed, or piped in as one line; only a slow hash of it is kept. With --issuer and --subject they sign in at a provider instead.",
    "Give a person an account",
    "daybook persons add jo --role approver --up-to GBP=25000.00 # Jo approves plans up to an amount",
    "daybook persons add sam --role bookkeeper --connection books # Sam works on one connection"
  )
)

const list = Command.make(
  "list",
  { tenants: tenantsFlag },
  Effect.fn(function* ({ tenants }) {
    const out = yield* CommandContext.output
    const file = yield* fileOf(tenants)
    const all = yield* usable(() => PersonsFile.read(file))
    for (const { password: _, ...one } of all) yield* out.emit({ type: "person", ...one })
    const rows = all.map(({ connections, declares, full_name, name, roles, up_to }) => [
      name,
      full_name ?? name,
      `${roles.join(", ")}${declares === true ? ", declares to the insurer" : ""}`,
      connections?.join(", ") ?? "all",
      Object.entries(up_to ?? {})
        .map(([code, amount]) => `${amount} ${code}`)
        .join(", ")
    ])
    const columns = ["Name", "Full name", "Roles", "Connections", "Approves up to"].map((title) => ({ title }))
    yield* out.say(
      rows.length === 0
        ? `Nobody has an account. The roles: ${Object.entries(PERSON_ROLES)
            .map(([role, rights]) => `${role} (${rights.join(", ")})`)
            .join("; ")}.`
        : table(columns, rows, out)
    )
  })
).pipe(CommandContext.help("List the people with accounts and what they may do"))

const remove = Command.make(
  "remove",
  { name: nameArgument, tenants: tenantsFlag },
  Effect.fn(function* ({ name, tenants }) {
    const out = yield* CommandContext.output
    const file = yield* fileOf(tenants)
    yield* known(file, name)
    yield* change(file, (all) => all.filter((one) => one.name !== name))
    yield* out.emit({ type: "person removed", name })
    yield* out.say(`${name} is removed; their sessions have ended. What they decided stays recorded.`)
  })
).pipe(CommandContext.help("Remove a person's account; their sessions end at once"))

const password = Command.make(
  "password",
  { name: nameArgument, tenants: tenantsFlag },
  Effect.fn(function* ({ name, tenants }) {
    const out = yield* CommandContext.output
    const file = yield* fileOf(tenants)
    yield* known(file, name)
    const hash = yield* newPassword(name)
    yield* change(file, (all) => all.map((one) => (one.name === name ? { ...one, password: hash } : one)))
    yield* out.emit({ type: "password changed", name })
    yield* out.say(`${name} has a new password; their sessions have ended.`)
  })
).pipe(CommandContext.help("Give a person a new password; their sessions end at once"))

export const persons = Command.make("persons").pipe(
  CommandContext.help("People who sign in on the daemon's page with accounts of their own, each with roles"),
  Command.withSubcommands([add, list, remove, password])
)
