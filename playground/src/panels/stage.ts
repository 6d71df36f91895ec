// The diagram of a run while it is stepped through: what comes later is pale, the present step is strong, its message moves,
// and messages that wait in queues are dots on their arrows. The engine draws the diagram and says which part is which step.

import { html, svg } from '../dom';
import type { RunAnswer } from '../engine/types';
import { readPicture } from '../picture';

const DURATION = 480;
/** How far along its arrow a message waits. */
const WAITING = 0.72;

interface Arrow {
  from: { x: number; y: number };
  to: { x: number; y: number };
}

export class Stage {
  readonly element = html('div');
  private text: string | null = null;
  private picture: SVGSVGElement | null = null;
  private movers = svg('g', { 'aria-hidden': 'true' });
  private isNew = false;
  private now: SVGGElement | null = null;

  /** Shows the state of a run; `before` is the step that was shown before, to which the movement belongs. */
  show(text: string | null, answer: RunAnswer, before: number, still: boolean): void {
    if (text !== this.text) {
      this.text = text;
      this.picture = text ? readPicture(text) : null;
      this.isNew = true;
      this.element.replaceChildren(...(this.picture ? [this.picture] : []));
      this.picture?.append(this.movers);
    }
    if (!this.picture) return;
    const at = answer.at;
    this.picture.classList.toggle('is-before', at < answer.choices.length);
    this.movers.replaceChildren();
    this.now = null;
    for (const group of this.picture.querySelectorAll<SVGGElement>('g.step')) {
      const step = Number(group.dataset['step']);
      const taken = group.dataset['taken'] === undefined ? step : Number(group.dataset['taken']);
      const isNow = at > 0 && (step === at - 1 || taken === at - 1);
      group.classList.toggle('is-later', step >= at);
      group.classList.toggle('is-now', isNow);
      if (isNow) this.now = group;
      const waits = step < at && taken >= at && taken !== step;
      if (waits) this.dot(group, WAITING);
    }
    const forwards = at === before + 1;
    const backwards = at === before - 1;
    const moved = forwards ? at - 1 : backwards ? at : -1;
    if (moved >= 0 && !still) this.move(moved, backwards);
  }

  /** Makes a new picture fit, unless that would be too small to read, and scrolls to the present step. */
  scroll(box: HTMLElement): void {
    if (this.isNew && this.picture) {
      const [width, height] = ['width', 'height'].map((name) => Number(this.picture!.getAttribute(name)));
      const scale = (box.clientWidth - 4) / width!;
      if (scale > 0.5 && scale < 1) {
        this.picture.setAttribute('width', String(width! * scale));
        this.picture.setAttribute('height', String(height! * scale));
      }
      this.isNew = false;
    }
    if (!this.now) {
      box.scrollTop = 0;
      return;
    }
    const place = this.now.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (place.top < frame.top + 40 || place.bottom > frame.bottom - 40) {
      box.scrollTop += place.top - frame.top - frame.height / 2;
    }
    if (place.left < frame.left || place.right > frame.right) box.scrollLeft += place.left - frame.left - 20;
  }

  private dot(group: SVGGElement, along: number): SVGCircleElement | null {
    const arrow = arrowOf(group);
    if (!arrow) return null;
    const { x, y } = point(arrow, along);
    const circle = svg('circle', { class: 'mover', r: 5.5, cx: x, cy: y });
    this.movers.append(circle);
    return circle;
  }

  /** Lets the message of a step move along its arrow: to the queue, out of it, or from one process to the other. */
  private move(step: number, backwards: boolean): void {
    const group = this.picture?.querySelector<SVGGElement>(`g.step[data-step="${step}"], g.step[data-taken="${step}"]`);
    const arrow = group && arrowOf(group);
    if (!group || !arrow) return;
    const isTaken = group.dataset['taken'] === String(step);
    const isPut = group.dataset['taken'] !== undefined && !isTaken;
    const [start, end] = [isTaken ? WAITING : 0, isPut ? WAITING : 1];
    const circle = this.dot(group, end);
    if (!circle) return;
    const [from, to] = [point(arrow, start), point(arrow, end)];
    const frames = [
      { transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` },
      { transform: 'translate(0, 0)' },
    ];
    const movement = circle.animate(backwards ? frames.reverse() : frames, { duration: DURATION, easing: 'ease-in-out' });
    movement.onfinish = () => circle.remove();
  }
}

function arrowOf(group: SVGGElement): Arrow | null {
  const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((name) => Number(group.dataset[name]));
  if (x1 === undefined || !Number.isFinite(x1 + y1! + x2! + y2!)) return null;
  return { from: { x: x1, y: y1! }, to: { x: x2!, y: y2! } };
}

function point(arrow: Arrow, along: number): { x: number; y: number } {
  return { x: arrow.from.x + (arrow.to.x - arrow.from.x) * along, y: arrow.from.y + (arrow.to.y - arrow.from.y) * along };
}
