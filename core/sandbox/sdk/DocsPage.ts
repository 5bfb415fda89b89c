/**
 * The page `/docs/checkout`, with every element live, its options and events. A script builds the page, because the elements
 * need scripts anyway; its content security policy is the one that a shop would use.
 */
export const docsPage = ({ frame, publicKey }: { readonly frame: string; readonly publicKey: string }) => ({
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Checkout elements</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><script src="/sdk/v1"></script>
<script src="/docs/checkout/page.js" data-public-key="${publicKey}" defer></script>
</head><body><noscript>This page shows the elements live, which needs JavaScript.</noscript></body></html>`,
  policy: `default-src 'none'; script-src 'self'; connect-src 'self' ${frame}; frame-src ${frame}; img-src data:; base-uri 'none'; form-action 'none'`
})
