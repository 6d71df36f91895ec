// Tabs as the ARIA practices describe them: one tab stop, arrows move and choose, Home and End go to the ends.

export interface Tabs {
  readonly chosen: string;
  choose(id: string, focus?: boolean): void;
}

/** Makes the buttons in a list of tabs work. Each names its panel in `aria-controls`; several may share one. */
export function makeTabs(list: HTMLElement, onChoose: (id: string) => void): Tabs {
  const tabs = () => [...list.querySelectorAll<HTMLElement>('[role=tab]')].filter((tab) => !tab.hidden);
  let chosen = tabs().find((tab) => tab.getAttribute('aria-selected') === 'true')?.id ?? tabs()[0]?.id ?? '';

  function choose(id: string, focus = false): void {
    const tab = tabs().find((one) => one.id === id);
    if (!tab) return;
    const panel = tab.getAttribute('aria-controls');
    for (const one of list.querySelectorAll<HTMLElement>('[role=tab]')) {
      const is = one === tab;
      one.setAttribute('aria-selected', String(is));
      one.tabIndex = is ? 0 : -1;
      const other = one.getAttribute('aria-controls');
      const element = other && document.getElementById(other);
      if (element && other !== panel) element.hidden = true;
    }
    const element = panel && document.getElementById(panel);
    if (element) {
      element.hidden = false;
      element.setAttribute('aria-labelledby', id);
    }
    chosen = id;
    if (focus) tab.focus();
    tab.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    onChoose(id);
  }

  list.addEventListener('click', (event) => {
    const tab = (event.target as Element).closest<HTMLElement>('[role=tab]');
    if (tab) choose(tab.id);
  });
  list.addEventListener('keydown', (event) => {
    const all = tabs();
    const at = all.findIndex((tab) => tab.id === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose(all[(to + all.length) % all.length]!.id, true);
  });
  return {
    get chosen() {
      return chosen;
    },
    choose,
  };
}
