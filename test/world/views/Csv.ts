/** Comma-separated exports. */
const cell = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

export const csv = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n"
