// Files from outside: dropped on the page, or chosen. Whatever they contain becomes the text; the engine says what it is.

import { byId } from './dom';
import { say } from './copy';

/** More than this would only make the browser slow. */
const LONGEST = 64_000_000;

async function read(file: File, take: (name: string, text: string) => void): Promise<void> {
  if (file.size > LONGEST) return say(`${file.name} is too large: at most 64 MB can be opened here`);
  // Bytes that are not UTF-8 become replacement characters: the engine says what is wrong.
  const text = new TextDecoder().decode(await file.arrayBuffer());
  take(file.name, text);
  say(`${file.name} opened`);
}

export function startImports(take: (name: string, text: string) => void): void {
  const input = byId<HTMLInputElement>('file');
  const cover = byId('drop');
  const open = (file: File | undefined) => {
    if (file) read(file, take).catch((error) => say(`It cannot be read: ${error.message ?? error}`));
  };
  byId('open').addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    open(input.files?.[0]);
    input.value = '';
  });
  const isFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  let depth = 0;
  document.addEventListener('dragenter', (event) => {
    if (!isFile(event)) return;
    depth += 1;
    cover.hidden = false;
  });
  document.addEventListener('dragleave', (event) => {
    if (!isFile(event)) return;
    depth -= 1;
    if (depth <= 0) cover.hidden = true;
  });
  // Before the editor, which would put the text of a file at the cursor.
  document.addEventListener('dragover', (event) => isFile(event) && event.preventDefault(), true);
  document.addEventListener(
    'drop',
    (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      event.stopPropagation();
      depth = 0;
      cover.hidden = true;
      open(event.dataTransfer?.files[0]);
    },
    true,
  );
}
