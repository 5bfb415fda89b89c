/** Says what can be done in terms of the page where the advice names a command: one does here what the command does there. */

const WORDS: ReadonlyArray<readonly [RegExp, string]> = [
  [/answer with `daybook attention resolve NUMBER --answer` and ".*"/, "answer it"],
  [/: `daybook attention` shows the choices/, ""],
  [/: daybook attention resolve NUMBER --same-as KEY, or --apart if both were received/, ""],
  [/: daybook attention resolve NUMBER --invoice INVOICE \(more than once for several\), or --none/, ""],
  [
    /if a payment is for another invoice: daybook match payments ask PAYMENT, one of [^;]*;/,
    "if a payment is for another invoice, say so beside it on the invoice's page;"
  ],
  [/: daybook attention resolve NUMBER --note "for no invoice"/, ", close it"],
  [/(?:send it again with|run) `daybook attention retry`/, "send it again"],
  [/with `daybook attention retry`/, "by sending it again"],
  [/then `daybook attention retry`/, "then send it again"],
  [/`daybook attention retry`/, "sending it again"],
  [
    /buy it with `daybook cover buy [^`]*`, or reject it with `daybook cover reject [^`]*`/,
    "buy it or reject it under Cover"
  ],
  [/with `daybook cover`/, "under Cover"],
  [/: `daybook collect [^`]*`/, ", under Cover"],
  [/attach one with `daybook collect`/, "add one under Cover"],
  [/`daybook collect [^`]*`/, "its page under Cover"],
  [/with `daybook pull`/, "with “Sync now” under Connections"],
  [/`daybook status` names it/, "Connections names it"],
  [/: daybook explain [^;]+;/, ";"],
  [/keep `daybook explain`/, "keep the document's page"]
]

export const onPage = (text: string): string =>
  WORDS.reduce((all, [command, words]) => all.replace(command, words), text)
