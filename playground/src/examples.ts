// The examples of the repository, in the groups of their list.

import groups from 'laban:examples';
import { byId, html } from './dom';

export interface Example {
  /** Its path below `examples/`. */
  file: string;
  about: string;
  story: string;
  expect: string;
  text: string;
}

export interface ExampleGroup {
  title: string;
  list: Example[];
}

export const all: Example[] = groups.flatMap((group) => group.list);

export function exampleNamed(file: string): Example | undefined {
  return all.find((example) => example.file === file);
}

/** Fills the list of examples. */
export function listExamples(onChoose: (example: Example) => void): void {
  const select = byId<HTMLSelectElement>('examples');
  for (const group of groups) {
    const options = group.list.map((example) => {
      const name = example.file.replace(/^.*\//, '');
      return html('option', { value: example.file }, `${name}: ${example.about}`);
    });
    select.append(html('optgroup', { label: group.title }, ...options));
  }
  select.addEventListener('change', () => {
    const example = exampleNamed(select.value);
    if (example) onChoose(example);
  });
}

/** Shows which example this is, if it is one. */
export function showChosen(example: Example | undefined): void {
  byId<HTMLSelectElement>('examples').value = example?.file ?? '';
  const story = byId('story');
  story.hidden = !example;
  if (!example) return story.replaceChildren();
  const about = `${example.about.charAt(0).toUpperCase()}${example.about.slice(1)}.`;
  story.replaceChildren(html('p', {}, html('strong', {}, about), ' ', example.story.replaceAll('`', '')));
}
