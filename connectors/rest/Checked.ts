/** Validates a declaration when its connector is loaded, for what types cannot express. Pure. */
import { refuse } from "../Misnamed.ts"
import { unread } from "./Names.ts"
import type { Child, Declaration, List, Root } from "./Declaration.ts"

// biome-ignore lint/suspicious/noExplicitAny: any source
type Any = Declaration<string, any>

const ofList = (list: List): ReadonlyArray<string> => {
  const problems: Array<string> = []
  if (!list.path.startsWith("/")) problems.push(`path ${JSON.stringify(list.path)} must begin with /`)
  if (list.path.includes("?")) problems.push("parameters go into query, not into path")
  if (!(Number.isInteger(list.size.most) && list.size.most > 0)) problems.push("size.most must be a positive integer")
  const { pagination } = list
  if (pagination.by === "page" || pagination.by === "offset") {
    if (!("keeps" in pagination) && pagination.total === undefined)
      problems.push(
        "pagination needs total: a record that is deleted while pages are read hides another one, and only the count shows it; " +
          "page by last id or cursor, or say in keeps why nothing is ever deleted"
      )
  }
  if (pagination.by === "last id" && pagination.param === "") problems.push("pagination.param is empty")
  return problems
}

const AT = "2026-01-01T00:00:00.000Z"

/** The parameters that a later pull asks for on every page. */
const asked = ({ changes, query }: Root<unknown>): ReadonlyArray<string> => {
  const own = typeof query === "object" ? Object.keys(query) : []
  if (typeof changes !== "object") return own
  if ("above" in changes) return [...own, ...Object.keys(changes.query("1"))]
  if (!("since" in changes) || changes.in === "header") return own
  const { format, since } = changes
  const at = typeof format === "function" ? format(Date.parse(AT)) : format === "seconds" ? "1767225600" : AT
  return [...own, ...(typeof since === "string" ? [since] : Object.keys(since(at)))]
}

/** A parameter that two parts set: the one would take the place of the other. */
const ofParameters = (root: Root<unknown>): ReadonlyArray<string> => {
  const { pagination } = root
  const param = "param" in pagination ? pagination.param : undefined
  const isShared = pagination.by === "last id" && (pagination.written?.length ?? 0) > 1
  if (param === undefined || isShared || !asked(root).includes(param)) return []
  const how = pagination.by === "last id" ? "; write both in one: written: (id, also) => ..." : ""
  return [
    `the parameter ${param} is set by pagination, and by query or changes: one takes the place of the other${how}`
  ]
}

const ofChild = (child: Child): ReadonlyArray<string> => {
  const problems = [...ofList(child)]
  const isEach = child.by === "each"
  if ((isEach && child.param === undefined) !== child.path.includes("{id}"))
    problems.push(
      isEach
        ? "path needs {id}, or param the parameter that takes it"
        : "path has {id}, but many records are asked for at once"
    )
  if (isEach && child.counts !== undefined && child.expects === "unknown")
    problems.push("counts has no meaning where it is unknown how many are expected")
  if (isEach && child.all !== undefined) problems.push(...ofList(child.all).map((why) => `all: ${why}`))
  return problems
}

const ofRoot = (root: Root<unknown>, all: ReadonlyArray<Root<unknown>>, n: number): ReadonlyArray<string> => {
  const problems = [...ofList(root), ...ofParameters(root)]
  const { changes, children = {}, name, of, one } = root
  if (all.findIndex((other) => other.name === name) !== n) problems.push("another list has this name")
  if (root.reads === "changes" && n === 0) problems.push("the first list is read at first: reads cannot be changes")
  if (root.reads === "changes" && changes === "complete scan") problems.push("a complete scan is always read")
  if (changes === "named" && !all.some((other) => other.of?.list === name))
    problems.push("no list names what to read again: give one with of")
  if (of !== undefined) {
    if (Object.keys(children).length > 0) problems.push("its records are only read for others: children have no place")
    const target = all.find((other) => other.name === of.list)
    if (target?.one === undefined) problems.push(`of names ${of.list}, which cannot be read by id: it needs one`)
  }
  if (root.along !== undefined && one === undefined) problems.push("along needs one: it names records to read again")
  if (one !== undefined && !("question" in one) && !("asking" in one) && !one.path.includes("{id}"))
    problems.push("one.path needs {id}")
  if (root.several !== undefined && one === undefined)
    problems.push("several needs one: a record that is missing from the answer is asked for by itself")
  if (typeof changes === "object" && "newest" in changes && !(changes.reach > 0))
    problems.push("changes.reach must be a positive number of seconds")
  const isBetween = typeof changes === "object" && "between" in changes
  const isNumbered = typeof changes === "object" && "numbered" in changes
  if (isNumbered !== root.path.includes("{n}"))
    problems.push(isNumbered ? "path needs {n}" : "path has {n}, and its files are not numbered")
  if (isBetween && !(changes.within > 0 && changes.oldest > 0))
    problems.push("changes.within and changes.oldest must be positive numbers of seconds")
  const isSince = typeof changes === "object" && "since" in changes && changes.in === undefined
  const isAbove = typeof changes === "object" && "above" in changes
  if (isAbove && !(changes.back >= 0)) problems.push("changes.back must not be negative")
  if (isAbove && root.reads === "changes")
    problems.push("a ledger's mark is a number of its own, so the first pull must read it: leave out reads")
  if (root.from !== undefined && !isBetween && !isNumbered && !isSince && !isAbove)
    problems.push("from says where a list begins that is asked for by times or by numbers")
  if (typeof changes === "object" && "since" in changes && changes.in === "header" && root.question !== undefined)
    problems.push("changes are asked for in a header, which a list that is requested with POST does not have")
  if (
    root.unless !== undefined &&
    (changes !== "complete scan" || !("total" in root.pagination && root.pagination.total !== undefined))
  )
    problems.push("unless has a meaning for a complete scan only, of a list whose pages state its total")
  if (root.each !== undefined) problems.push(...ofList(root.each).map((why) => `each: ${why}`))
  for (const [child, declared] of Object.entries(children))
    problems.push(...ofChild(declared).map((why) => `children.${child}: ${why}`))
  return problems
}

export const problems = (d: Any): ReadonlyArray<string> => {
  const found: Array<string> = [...unread(d)]
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(d.name)) found.push(`name ${JSON.stringify(d.name)} is not lowercase letters`)
  if (d.lists.length === 0) found.push("there are no lists")
  for (const [n, root] of d.lists.entries()) {
    found.push(...ofRoot(root, d.lists, n).map((why) => `lists.${root.name}: ${why}`))
    if (!d.kinds.includes(root.kind)) found.push(`lists.${root.name}: ${root.kind} is not among kinds`)
  }
  const isScanned = d.lists.some(({ changes }) => changes === "complete scan")
  if (isScanned !== (d.deletions === "complete scan"))
    found.push(
      isScanned
        ? 'a list is read whole each time: deletions must be "complete scan"'
        : 'deletions are learnt from a complete scan, and no list has changes: "complete scan"'
    )
  const isReaching = d.lists.some(({ changes }) => typeof changes === "object" && "newest" in changes)
  if (isReaching && d.blindSpots.length === 0)
    found.push("a list is read newest first, so changes of older records are not seen: say so in blindSpots")
  const isLooking = d.lists.some(
    ({ changes }) => typeof changes === "object" && "since" in changes && changes.look !== undefined
  )
  if (isLooking && d.blindSpots.length === 0)
    found.push("a list is looked through so far back, and what lies beyond is not seen: say so in blindSpots")
  const isPulled = d.lists.some(
    ({ changes, one }) => one !== undefined || (typeof changes === "object" && "numbered" in changes)
  )
  if (d.webhook !== undefined && d.again === undefined && !isPulled)
    found.push("webhook says what to read again, and no list has one")
  if (d.file !== undefined && !d.file.path.includes("{id}")) found.push("file.path needs {id}")
  if (!(d.overlapSeconds >= 0)) found.push("overlapSeconds must not be negative")
  return found
}

export const check = (d: Any): void => refuse(d.name, problems(d))
