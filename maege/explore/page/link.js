// Addresses with a query, which is compressed and encoded for URLs.

export async function withQuery(query) {
  const bytes = new TextEncoder().encode(query);
  const packed = await through(new CompressionStream('deflate-raw'), bytes);
  const letters = btoa(Array.from(packed, byte => String.fromCharCode(byte)).join(''));
  return `#sql=${letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

// Return the query in an address; null if there is none or it is truncated.
export async function queryOf(hash) {
  const letters = /^#sql=([\w-]+)$/.exec(hash)?.[1];
  if (!letters) return null;
  try {
    const packed = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(packed, letter => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes));
  } catch {
    return null;
  }
}

async function through(stream, bytes) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}
