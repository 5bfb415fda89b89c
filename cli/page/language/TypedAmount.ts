/** Reads an amount as a person types it: `1234.50`, `1234,50`, `1,234.50` or `1.234,50`. What can be meant in two ways is not read. */

/**
 * The amount with a point and no groups; undefined for `1.234` and `1,234`, and for what is no amount. The page's script has it as
 * well, as it stands here.
 */
export const plainAmount = (text: string): string | undefined => {
  const bare = text.replace(/[\s']/g, "")
  if (/^\d+$/.test(bare)) return bare
  if (/^\d{1,3}(?:(?:,\d{3}){2,}|(?:\.\d{3}){2,})$/.test(bare)) return bare.replace(/[.,]/g, "")
  const isGrouped = /^\d{1,3}(?:(?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+)$/.test(bare)
  if (!isGrouped && !/^(?:(?:0|\d{4,})[.,]\d{3}|\d+[.,](?:\d{1,2}|\d{4,8}))$/.test(bare)) return undefined
  const at = Math.max(bare.lastIndexOf("."), bare.lastIndexOf(","))
  return `${bare.slice(0, at).replace(/[.,]/g, "")}.${bare.slice(at + 1)}`
}

/** An amount of the program's as a field has it beforehand: without groups, and never one that could be read in two ways. */
export const typedBefore = (amount: string): string => {
  const plain = amount.replaceAll(",", "")
  return plainAmount(plain) === undefined && /^\d+\.\d{3}$/.test(plain) ? `${plain}0` : plain
}
