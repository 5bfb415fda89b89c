/** Finds elements of XML by their path. */

/** An element as readers of XML keep it. */
interface Element<Node> {
  /** The name without its prefix. */
  readonly name: string
  readonly children: ReadonlyArray<Node>
  readonly text: string
}

/** Every element at a path. */
export const all = <Node extends Element<Node>>(node: Node | undefined, path: string): ReadonlyArray<Node> =>
  node === undefined
    ? []
    : path
        .split("/")
        .reduce<ReadonlyArray<Node>>(
          (here, name) => here.flatMap(({ children }) => children.filter((child) => child.name === name)),
          [node]
        )

/** The first element of each name on a path; undefined if there is none. */
export const at = <Node extends Element<Node>>(node: Node | undefined, path: string): Node | undefined => {
  let here = node
  for (const name of path.split("/")) here = here?.children.find((child) => child.name === name)
  return here
}

/** The text of the first element at one of the paths, trimmed; undefined if absent or empty. */
export const textAt = <Node extends Element<Node>>(
  node: Node | undefined,
  ...paths: ReadonlyArray<string>
): string | undefined => {
  for (const path of paths) {
    const text = at(node, path)?.text.trim()
    if (text !== undefined && text !== "") return text
  }
  return undefined
}

/** A postal address in one line: each line of it has the texts at these paths, with a space between. */
export const addressAt = <Node extends Element<Node>>(
  node: Node | undefined,
  ...lines: ReadonlyArray<ReadonlyArray<string>>
): string =>
  lines
    .map((paths) => paths.flatMap((path) => all(node, path).map(({ text }) => text.trim().replace(/\s+/g, " "))))
    .map((texts) => texts.filter((text) => text !== "").join(" "))
    .filter((line) => line !== "")
    .join(", ")
