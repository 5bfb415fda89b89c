/** Writes keys in commands that attention items suggest, quoted where needed. */
const shown = (key: string): string => (/^[\w./#-]+$/.test(key) ? key : JSON.stringify(key))

export const CommandText = {
  buy: (key: string): string => `\`daybook cover buy ${shown(key)}\``,
  reject: (key: string): string => `\`daybook cover reject ${shown(key)}\``,
  quote: (key: string): string => `\`daybook cover quote ${shown(key)}\``
}
