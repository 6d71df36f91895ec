// How a text is read and how far the search goes: the options that the page shares with the command.

import { byId } from './dom';

export interface Options {
  services: string[];
  fair: boolean;
  strict_services: boolean;
  /** '' is what the text says itself. */
  channels: '' | 'queue' | 'rendezvous';
  any_conditions: boolean;
  max_states: number;
}

export const DEFAULT: Readonly<Options> = {
  services: [],
  fair: false,
  strict_services: false,
  channels: '',
  any_conditions: false,
  max_states: 200_000,
};

const controls = () => ({
  services: byId<HTMLInputElement>('option-services'),
  fair: byId<HTMLInputElement>('option-fair'),
  strict_services: byId<HTMLInputElement>('option-strict'),
  channels: byId<HTMLSelectElement>('option-channels'),
  any_conditions: byId<HTMLInputElement>('option-conditions'),
  max_states: byId<HTMLInputElement>('option-states'),
});

export function readOptions(): Options {
  const control = controls();
  const most = Math.floor(Number(control.max_states.value));
  return {
    services: control.services.value.split(/[\s,]+/).filter(Boolean),
    fair: control.fair.checked,
    strict_services: control.strict_services.checked,
    channels: control.channels.value as Options['channels'],
    any_conditions: control.any_conditions.checked,
    max_states: Number.isFinite(most) && most > 0 ? most : DEFAULT.max_states,
  };
}

export function showOptions(options: Partial<Options>): void {
  const all = { ...DEFAULT, ...options };
  const control = controls();
  control.services.value = Array.isArray(all.services) ? all.services.join(', ') : '';
  control.fair.checked = all.fair === true;
  control.strict_services.checked = all.strict_services === true;
  control.channels.value = ['queue', 'rendezvous'].includes(all.channels) ? all.channels : '';
  control.any_conditions.checked = all.any_conditions === true;
  control.max_states.value = String(all.max_states);
}

/** Only what differs from the usual, for a link. */
export function unusual(options: Options): Partial<Options> | undefined {
  const different = Object.entries(options).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULT[name as keyof Options]),
  );
  return different.length ? (Object.fromEntries(different) as Partial<Options>) : undefined;
}
