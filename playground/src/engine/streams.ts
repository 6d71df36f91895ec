// A module of WebAssembly gets smaller if bytes of one kind are packed together: opcodes, the numbers of locals, offsets, and so
// on. Here is which byte is of which kind. It depends on nothing but the bytes before, so that whoever puts the kinds together
// again knows where the next byte comes from. For bytes that are no module, this is as true, and of no use.

const OUTSIDE = 0;
const DECLARED = 1;
const OPCODE = 2;
const LABEL = 3;
const CALLED = 4;
const GET = 5;
const SET = 6;
const TEE = 7;
const ALIGN = 8;
const OFFSET = 9;
const INT = 10;
const LONG = 11;

/** For each kind, how many bits of the byte before LZMA should look at: what makes it smallest. */
export const LC = [3, 2, 3, 4, 1, 0, 4, 1, 4, 1, 2, 1] as const;

/** What a byte is part of. Most are numbers of several bytes, of which all but the last are 128 or more. */
const enum Part {
  SKIPPED,
  SECTION,
  SIZE,
  BODIES,
  BODY,
  DECLARATIONS,
  DECLARED_COUNT,
  DECLARED_TYPE,
  INSTRUCTION,
  SUBOPCODE,
  LABELS,
  NUMBER,
  FLOAT,
}

/** What an opcode is followed by. What is nearly always the same stays with the opcodes. */
function numbersAfter(opcode: number): readonly number[] {
  if (opcode >= 0x28 && opcode <= 0x3e) return [ALIGN, OFFSET];
  switch (opcode) {
    case 0x02: case 0x03: case 0x04: case 0x23: case 0x24: case 0x3f: case 0x40: return [OPCODE];
    case 0x0c: case 0x0d: return [LABEL];
    case 0x10: return [CALLED];
    case 0x11: return [OPCODE, OPCODE];
    case 0x20: return [GET];
    case 0x21: return [SET];
    case 0x22: return [TEE];
    case 0x41: return [INT];
    case 0x42: return [LONG];
    default: return [];
  }
}

/** Goes through a module and knows the kind of the byte that comes next. */
export class Follower {
  kind = OUTSIDE;
  private part = Part.SKIPPED;
  private at = 0;
  private end = 8;
  private endOfBody = 0;
  private inCode = false;
  /** How many more declarations, labels, or bytes of a number there are. */
  private left = 0;
  private numbers: readonly number[] = [];
  private taken = 0;
  private value = 0;
  private shift = 0;

  feed(byte: number): void {
    this.at += 1;
    const { part } = this;
    if (part === Part.SKIPPED) {
      if (this.at === this.end) this.expect(Part.SECTION, OUTSIDE);
      return;
    }
    if (part === Part.SECTION) {
      this.inCode = byte === 10;
      return this.expect(Part.SIZE, OUTSIDE);
    }
    if (part === Part.INSTRUCTION) this.instruction(byte);
    else if (part === Part.FLOAT) this.float();
    else if (part === Part.DECLARED_TYPE) this.declare();
    else {
      if (this.shift < 28) this.value |= (byte & 127) << this.shift;
      this.shift += 7;
      if (byte >= 128) return;
      this.number(this.value);
    }
    if (this.inCode && this.at === this.endOfBody) this.expect(Part.BODY, DECLARED);
    if (this.inCode && this.at === this.end) this.expect(Part.SECTION, OUTSIDE);
  }

  private expect(part: Part, kind: number): void {
    this.part = part;
    this.kind = kind;
    this.value = 0;
    this.shift = 0;
  }

  private number(value: number): void {
    switch (this.part) {
      case Part.SIZE:
        this.end = this.at + value;
        this.endOfBody = 0;
        this.expect(this.inCode ? Part.BODIES : this.end > this.at ? Part.SKIPPED : Part.SECTION, OUTSIDE);
        break;
      case Part.BODIES:
        this.expect(Part.BODY, DECLARED);
        break;
      case Part.BODY:
        this.endOfBody = this.at + value;
        this.expect(Part.DECLARATIONS, DECLARED);
        break;
      case Part.DECLARATIONS:
        this.left = value + 1;
        this.declare();
        break;
      case Part.DECLARED_COUNT:
        this.expect(Part.DECLARED_TYPE, DECLARED);
        break;
      case Part.LABELS:
        // One more than it says: the last is for all other values.
        this.numbers = [];
        this.left = value + 1;
        this.expect(Part.NUMBER, LABEL);
        break;
      case Part.SUBOPCODE:
        // What is copied, or filled, and where.
        this.follow(value === 10 || value === 8 ? [OPCODE, OPCODE] : value === 11 || value === 9 ? [OPCODE] : []);
        break;
      default:
        this.left -= 1;
        if (this.left > 0) this.expect(Part.NUMBER, LABEL);
        else this.next();
    }
  }

  private declare(): void {
    this.left -= 1;
    if (this.left > 0) this.expect(Part.DECLARED_COUNT, DECLARED);
    else this.expect(Part.INSTRUCTION, OPCODE);
  }

  private instruction(opcode: number): void {
    this.left = opcode === 0x43 ? 4 : opcode === 0x44 ? 8 : 0;
    if (this.left) this.expect(Part.FLOAT, LONG);
    else if (opcode === 0x0e) this.expect(Part.LABELS, LABEL);
    else if (opcode === 0xfc) this.expect(Part.SUBOPCODE, OPCODE);
    else this.follow(numbersAfter(opcode));
  }

  private float(): void {
    this.left -= 1;
    if (this.left === 0) this.follow([]);
  }

  private follow(numbers: readonly number[]): void {
    this.numbers = numbers;
    this.taken = 0;
    this.left = 0;
    this.next();
  }

  /** The next number of the instruction, or the next instruction. */
  private next(): void {
    const kind = this.numbers[this.taken];
    this.taken += 1;
    if (kind === undefined) this.expect(Part.INSTRUCTION, OPCODE);
    else this.expect(Part.NUMBER, kind);
  }
}

/** Puts the kinds together again. */
export function join(kinds: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(kinds.reduce((sum, { length }) => sum + length, 0));
  const read = kinds.map(() => 0);
  const follower = new Follower();
  for (let at = 0; at < all.length; at += 1) {
    const { kind } = follower;
    all[at] = kinds[kind]![read[kind]!++]!;
    follower.feed(all[at]!);
  }
  return all;
}

/** The bytes of each kind. */
export function separate(bytes: Uint8Array): Uint8Array[] {
  const follower = new Follower();
  const kinds: number[][] = LC.map(() => []);
  for (const byte of bytes) {
    kinds[follower.kind]!.push(byte);
    follower.feed(byte);
  }
  return kinds.map((kind) => Uint8Array.from(kind));
}
