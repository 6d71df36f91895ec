// Unpacks what LZMA has packed. Browsers can inflate, but the engine gets a quarter smaller this way, and unpacking it takes
// less time than loading that quarter.
//
// Only what the build writes is read: raw LZMA with lp = 0 and pb = 0, of a known length, without a mark at the end.
// Names are those of the specification of LZMA.

const STATES = 12;
const HALF = 1024;
/** The kinds of distances, for each of four lengths. */
const SLOTS = 64;
const ALIGN_BITS = 4;
const END_OF_MODELLED = 14;
const FULL_DISTANCES = 128;

/** The probabilities of the bits of a length: two choices, and three trees. */
interface Lengths {
  choice: Uint16Array;
  low: Uint16Array;
  middle: Uint16Array;
  high: Uint16Array;
}

const fresh = (length: number) => new Uint16Array(length).fill(HALF);
const lengths = (): Lengths => ({ choice: fresh(2), low: fresh(8), middle: fresh(8), high: fresh(256) });

/** `lc` is how many bits of the byte before a literal say what to expect of it. */
export function unpack(packed: Uint8Array, length: number, lc: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  let at = 0;
  // The first byte is 0, and four more are the start of the code.
  let code = ((packed[1]! << 24) | (packed[2]! << 16) | (packed[3]! << 8) | packed[4]!) >>> 0;
  let range = 0xffffffff;
  let read = 5;

  const refill = (): void => {
    if (range >>> 24) return;
    range = (range << 8) >>> 0;
    code = ((code << 8) | (packed[read++] ?? 0)) >>> 0;
  };
  const bit = (chances: Uint16Array, index: number): number => {
    const chance = chances[index]!;
    const bound = (range >>> 11) * chance;
    if (code < bound) {
      range = bound;
      chances[index] = chance + ((2048 - chance) >> 5);
      refill();
      return 0;
    }
    range -= bound;
    code -= bound;
    chances[index] = chance - (chance >> 5);
    refill();
    return 1;
  };
  const tree = (chances: Uint16Array, bits: number, offset = 0): number => {
    let node = 1;
    for (let count = bits; count > 0; count -= 1) node = (node << 1) | bit(chances, offset + node);
    return node - (1 << bits);
  };
  const backwards = (chances: Uint16Array, bits: number, offset: number): number => {
    let node = 1;
    let value = 0;
    for (let count = 0; count < bits; count += 1) {
      const next = bit(chances, offset + node);
      node = (node << 1) | next;
      value |= next << count;
    }
    return value;
  };
  const direct = (bits: number): number => {
    let value = 0;
    for (let count = bits; count > 0; count -= 1) {
      range >>>= 1;
      const next = code >= range ? 1 : 0;
      if (next) code -= range;
      value = (value << 1) | next;
      refill();
    }
    return value;
  };
  const lengthOf = ({ choice, low, middle, high }: Lengths): number => {
    if (!bit(choice, 0)) return tree(low, 3);
    if (!bit(choice, 1)) return 8 + tree(middle, 3);
    return 16 + tree(high, 8);
  };

  const literals = fresh(0x300 << lc);
  const isMatch = fresh(STATES);
  const isRepeated = fresh(STATES);
  const isNotNewest = fresh(STATES);
  const isLong = fresh(STATES);
  const isNotSecond = fresh(STATES);
  const isNotThird = fresh(STATES);
  const slots = fresh(4 * SLOTS);
  const near = fresh(1 + FULL_DISTANCES - END_OF_MODELLED);
  const align = fresh(1 << ALIGN_BITS);
  const matches = lengths();
  const repeats = lengths();
  let state = 0;
  let [newest, second, third, fourth] = [0, 0, 0, 0];

  const literal = (): number => {
    let symbol = 1;
    const context = at ? (out[at - 1]! >> (8 - lc)) * 0x300 : 0;
    if (state >= 7) {
      let expected = out[at - newest - 1]!;
      do {
        const upper = (expected >> 7) & 1;
        expected <<= 1;
        const next = bit(literals, context + ((1 + upper) << 8) + symbol);
        symbol = (symbol << 1) | next;
        if (upper !== next) break;
      } while (symbol < 0x100);
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(literals, context + symbol);
    return symbol & 0xff;
  };
  const distance = (size: number): number => {
    const slot = tree(slots, 6, Math.min(size, 3) * SLOTS);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    if (slot < END_OF_MODELLED) return base + backwards(near, bits, base - slot);
    return base + (direct(bits - ALIGN_BITS) << ALIGN_BITS) + backwards(align, ALIGN_BITS, 0);
  };

  while (at < length) {
    if (!bit(isMatch, state)) {
      out[at] = literal();
      at += 1;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let size: number;
    if (!bit(isRepeated, state)) {
      fourth = third;
      third = second;
      second = newest;
      size = lengthOf(matches);
      newest = distance(size);
      state = state < 7 ? 7 : 10;
    } else {
      if (!bit(isNotNewest, state)) {
        if (!bit(isLong, state)) {
          out[at] = out[at - newest - 1]!;
          at += 1;
          state = state < 7 ? 9 : 11;
          continue;
        }
      } else {
        const before = newest;
        if (!bit(isNotSecond, state)) {
          newest = second;
        } else {
          if (!bit(isNotThird, state)) {
            newest = third;
          } else {
            newest = fourth;
            fourth = third;
          }
          third = second;
        }
        second = before;
      }
      size = lengthOf(repeats);
      state = state < 7 ? 8 : 11;
    }
    for (const end = Math.min(at + size + 2, length); at < end; at += 1) out[at] = out[at - newest - 1]!;
  }
  return out;
}
