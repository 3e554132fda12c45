// Loads the files of the page: from the same folder, or from inside the page if it is a single file.

// Return the bytes of a file, decompressed if they are in gzip format.
export async function bytesOf(name) {
  const packed = heldBytes(name) ?? await servedBytes(name);
  // The first bytes decide, because servers may have decompressed the file already.
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed;
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

export async function textOf(name) {
  return new TextDecoder().decode(await bytesOf(name));
}

function heldBytes(name) {
  const held = document.getElementById(`file-${name}`);
  return held && Uint8Array.from(atob(held.textContent), letter => letter.charCodeAt(0));
}

async function servedBytes(name) {
  if (location.protocol === 'file:') {
    throw Error('Browsers load this page from a web server alone. ' +
      '`maege explore --single-file` writes one that opens from a folder.');
  }
  const answer = await fetch(name);
  if (!answer.ok) throw Error(`${name}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}
