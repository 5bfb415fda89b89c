/**
 * Turns database errors into messages that say what to do. A driver's own message is shown where it helps, but never with a
 * password or an address in it.
 */
import { didYouMean } from "../../core/Nearest.ts"
import { plural } from "../../core/Plural.ts"
import * as Connector from "../Connector.ts"
import { Ended } from "../Apart.ts"
import { Endless, Silent } from "./Silence.ts"

export const { misconfigured, unavailable, unreachable, unreadable } = Connector.failing("sql")

/** A database's name for messages, and the secrets to redact from them. */
export interface Place {
  /** `books on db.example.com:5432`, `books.db` */
  readonly name: string
  /** The setting with the address: `the variable BOOKS_DATABASE`, `source.file`. */
  readonly setting: string
  readonly secrets: ReadonlyArray<string>
  /** It is a file, which no server reads. */
  readonly isFile?: true
}

/** Redacts secrets from a message. */
const scrub = (text: string, { secrets }: Place): string =>
  secrets.reduce((clean, secret) => (secret === "" ? clean : clean.replaceAll(secret, "…")), text)

type Kind = (what: { readonly said: string; readonly place: Place; readonly where: string }) => Connector.SourceError

const grant: Kind = ({ place, said, where }) =>
  misconfigured(
    `${where} reads what its user has no permission to read (${said})`,
    `grant that user of ${place.name} the right to SELECT it`
  )

const table: Kind = ({ said, where }) =>
  misconfigured(
    `${where} names a table that does not exist (${said})`,
    "correct the query, or the database and schema that it is looked for in"
  )

const column: Kind = ({ said, where }) =>
  misconfigured(`${where} names a column that its tables do not have (${said})`, "correct the query")

const syntax: Kind = ({ said, where }) =>
  misconfigured(`${where} is not valid SQL for the database (${said})`, "correct the query")

const password: Kind = ({ place }) =>
  misconfigured(`${place.name} does not accept the user or the password`, `correct them in ${place.setting}`)

const database: Kind = ({ place }) =>
  misconfigured(`the server has no database ${place.name}`, `correct its name in ${place.setting}`)

const host: Kind = ({ place }) =>
  misconfigured(`host unreachable: ${place.name} was not found`, `correct it in ${place.setting}, or check DNS`)

const refused: Kind = ({ place }) =>
  unreachable(
    `host unreachable: nothing answers at ${place.name}; check that it runs, and that host and port in ${place.setting} are right`
  )

const cut: Kind = ({ place }) =>
  unavailable(
    `the connection to ${place.name} was lost; nothing is lost: run again, and the pull continues where it stopped`
  )

const full: Kind = ({ place, said }) =>
  unavailable(`${place.name} accepts no connections now (${said}); run again later`)

const busy: Kind = ({ place }) =>
  unavailable(`${place.name} is locked by another program; run again when it has finished`)

const AUTHORITY =
  "if it is of an authority of your own, name that authority's file with sslrootcert=FILE in the address, or with NODE_EXTRA_CA_CERTS"

const untrusted: Kind = ({ place, said }) =>
  misconfigured(
    `the certificate of ${place.name} is not trusted, so it may not be your server (${said}); nothing was sent to it`,
    `${AUTHORITY}; sslmode=require in ${place.setting} would trust anybody who answers`
  )

const misnamed: Kind = ({ place }) =>
  misconfigured(
    `the certificate of ${place.name} is for another host, so it may not be your server; nothing was sent to it`,
    `write the host in ${place.setting} as the certificate names it; sslmode=verify-ca would accept every host with a certificate of the same authority`
  )

const plain: Kind = ({ place }) =>
  misconfigured(
    `${place.name} offers no TLS, so that others could read the password and the books; nothing was sent to it`,
    `switch TLS on at the server, or, in a network that nobody else reads, write sslmode=disable in ${place.setting}`
  )

const broken: Kind = ({ place, said }) =>
  misconfigured(`TLS with ${place.name} failed (${said})`, "check the certificate and the TLS versions of the server")

const cleartext: Kind = ({ place }) =>
  misconfigured(
    `${place.name} asks for the password without encryption, so it was not sent`,
    `write sslmode=require in ${place.setting} if the server offers TLS; sslmode=disable would send it as it is`
  )

const changes: Kind = ({ where }) => misconfigured(`${where} would change data`, "write a SELECT that only reads")

const file: Kind = ({ place }) =>
  misconfigured(`there is no readable database at ${place.name}`, `correct ${place.setting}, or its permissions`)

const noDatabase: Kind = ({ place }) =>
  misconfigured(
    `${place.name} is not an SQLite database`,
    `correct ${place.setting}; a CSV file is read by the connector files`
  )

const duplicate: Kind = ({ said, where }) =>
  misconfigured(`${where} selects two columns of the same name (${said})`, "name each column once, with AS")

/** Error codes of drivers, databases and the system. */
const CODES: Readonly<Record<string, Kind>> = {
  "28P01": password,
  "28000": password,
  "3D000": database,
  "42P01": table,
  "3F000": table,
  "42703": column,
  "42601": syntax,
  "42883": syntax,
  "42501": grant,
  "25006": changes,
  "53300": full,
  "57P01": cut,
  "57P02": cut,
  "57P03": full,
  "57014": ({ where }) =>
    unavailable(`${where} takes longer than the database allows; add an index for its cursor, or make it narrower`),
  ER_ACCESS_DENIED_ERROR: password,
  ER_DBACCESS_DENIED_ERROR: grant,
  ER_TABLEACCESS_DENIED_ERROR: grant,
  ER_COLUMNACCESS_DENIED_ERROR: grant,
  ER_BAD_DB_ERROR: database,
  ER_NO_DB_ERROR: database,
  ER_NO_SUCH_TABLE: table,
  ER_BAD_FIELD_ERROR: column,
  ER_PARSE_ERROR: syntax,
  ER_DUP_FIELDNAME: duplicate,
  ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: changes,
  ER_CON_COUNT_ERROR: full,
  ER_TOO_MANY_USER_CONNECTIONS: full,
  ER_HOST_NOT_PRIVILEGED: password,
  HANDSHAKE_NO_SSL_SUPPORT: plain,
  DAYBOOK_CLEARTEXT: cleartext,
  MYSQL_CLEAR_PASSWORD_NOT_ENABLED: cleartext,
  PROTOCOL_CONNECTION_LOST: cut,
  ENOTFOUND: host,
  EAI_AGAIN: host,
  ECONNREFUSED: refused,
  EHOSTUNREACH: refused,
  ENETUNREACH: refused,
  ETIMEDOUT: refused,
  ENOENT: refused,
  ECONNRESET: cut,
  EPIPE: cut,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  CERT_NOT_YET_VALID: untrusted,
  CERT_REVOKED: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_REJECTED: untrusted,
  INVALID_PURPOSE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: misnamed,
  SQLITE_CANTOPEN: file,
  SQLITE_NOTADB: noDatabase,
  SQLITE_BUSY: busy,
  SQLITE_LOCKED: busy
}

/** Driver messages that come without a code. */
const WORDS: ReadonlyArray<readonly [RegExp, Kind]> = [
  [/no such table/, table],
  [/no such column/, column],
  [/syntax error|incomplete input/, syntax],
  [/timeout expired|connect ETIMEDOUT|Connection terminated due to/, refused],
  [/Connection terminated|server closed the connection|connection is closed|closed state/i, cut],
  [/does not support SSL/, plain],
  [/does not match certificate/, misnamed],
  [/certificate/, untrusted],
  [/SSL|TLS/, broken],
  [/directory does not exist/, file],
  [/password must be a string|authentication/i, password]
]

const silent = (seconds: number, place: Place, where: string) =>
  unavailable(
    place.isFile === true
      ? `${place.name} gave no row for ${plural(seconds, "second")} (${where}); make the query faster, for example by an index, or set source.timeout; nothing is lost: the next pull continues where this one stopped`
      : `${place.name} has sent nothing for ${plural(seconds, "second")} (${where}); check the server, and firewalls that drop connections, or set source.timeout if the query takes longer; nothing is lost: the next pull continues where this one stopped`
  )

/** Converts whatever was thrown while a database was read. */
export const sourceError = (cause: unknown, place: Place, where = "a query"): Connector.SourceError => {
  if (cause instanceof Connector.SourceError) return cause
  // A host with several addresses fails with one error for each of them.
  const one = cause instanceof AggregateError && cause.errors.length > 0 ? cause.errors[0] : cause
  if (one instanceof Ended)
    return unreadable(where, "it took more memory than one query may have; select fewer or shorter columns")
  if (one instanceof Endless)
    return unreadable(
      where,
      `${place.name} sends more than ${one.bytes / 2 ** 20} MB for one page of rows; select fewer or shorter columns, or set source.page to fewer rows`
    )
  if (one instanceof Silent) return silent(one.seconds, place, where)
  const { code = "", message = String(one) } = one as { readonly code?: string; readonly message?: string }
  const said = scrub(message, place).replace(/\s+/g, " ").slice(0, 200)
  const kind = CODES[code] ?? WORDS.find(([words]) => words.test(message))?.[1]
  if (kind !== undefined) return kind({ said, place, where })
  return unreadable(where, `the database says: ${said}`)
}

const listed = (names: ReadonlyArray<string>): string => names.map((one) => JSON.stringify(one)).join(", ")

export const noColumn = (stream: string, asked: string, by: string, there: ReadonlyArray<string>) =>
  misconfigured(
    `the query for ${stream} gives no column ${JSON.stringify(asked)}, which source.${stream}.${by} asks for; it gives ${listed(there)}${didYouMean(asked, there)}`,
    "correct the configuration, or select the column"
  )
