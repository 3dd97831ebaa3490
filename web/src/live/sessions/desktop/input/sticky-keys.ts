export type Modifier = 'Control' | 'Alt' | 'Shift' | 'Meta';

/** State of a modifier of the key bar: up, down for the next key, or down until it is tapped again. */
export type StickyState = 'up' | 'next' | 'locked';

const AFTER: Readonly<Record<StickyState, StickyState>> = { up: 'next', next: 'locked', locked: 'up' };

/** The modifiers that taps hold down. */
export class StickyKeys {
  private readonly states = new Map<Modifier, StickyState>();

  stateOf(modifier: Modifier): StickyState {
    return this.states.get(modifier) ?? 'up';
  }

  /** Taps a modifier, and returns its state then. */
  tap(modifier: Modifier): StickyState {
    const state = AFTER[this.stateOf(modifier)];
    this.states.set(modifier, state);
    return state;
  }

  get areDown(): boolean {
    return this.down.length > 0;
  }

  get down(): Modifier[] {
    return [...this.states].flatMap(([modifier, state]) => (state === 'up' ? [] : [modifier]));
  }

  /** Lifts those that were down for one key, and returns them. */
  use(): Modifier[] {
    const used = this.down.filter((modifier) => this.stateOf(modifier) === 'next');
    for (const modifier of used) this.states.set(modifier, 'up');
    return used;
  }

  clear(): void {
    this.states.clear();
  }
}
