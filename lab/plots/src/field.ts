/** An input that cannot be drawn. Its message names the plot and the field. */
export class SpecError extends Error {}

/** A JSON value, with its plot and path for messages. */
export class Field {
  constructor(
    private readonly value: unknown,
    private readonly plot: string,
    readonly path: string,
  ) {}

  fail(problem: string): never {
    throw new SpecError([this.plot, this.path, problem].filter((part) => part !== "").join(": "));
  }

  /** This object under the name that messages use from here on. */
  asPlot(name: string): Field {
    return new Field(this.value, `plot '${name}'`, "");
  }

  /** Checks that this is an object with all required fields and no unknown ones. */
  fields(required: readonly string[], optional: readonly string[]): this {
    const object = this.object();
    for (const name of Object.keys(object)) {
      if (!required.includes(name) && !optional.includes(name)) {
        this.get(name).fail(`unknown field -> known are ${[...required, ...optional].join(", ")}`);
      }
    }
    for (const name of required) {
      if (!this.has(name)) {
        this.get(name).fail("missing field");
      }
    }
    return this;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.object(), name);
  }

  get(name: string): Field {
    return new Field(this.object()[name], this.plot, this.path === "" ? name : `${this.path}.${name}`);
  }

  list(least = 0): Field[] {
    if (!Array.isArray(this.value)) {
      return this.fail("not a list");
    }
    if (this.value.length < least) {
      return this.fail("empty list");
    }
    return this.value.map((item: unknown, i) => new Field(item, this.plot, `${this.path}[${String(i)}]`));
  }

  /** The list in an optional field. */
  optionalList(name: string): Field[] {
    return this.has(name) ? this.get(name).list() : [];
  }

  text(): string {
    if (typeof this.value !== "string" || this.value.trim() === "") {
      return this.fail("not a text");
    }
    // XML has no way to write most of them
    return /\p{Cc}/u.test(this.value) ? this.fail("has a control character") : this.value;
  }

  optionalText(name: string): string {
    return this.has(name) ? this.get(name).text() : "";
  }

  number(): number {
    return typeof this.value === "number" && Number.isFinite(this.value)
      ? this.value
      : this.fail(`${JSON.stringify(this.value)} is not a finite number`);
  }

  numberOrNull(): number | null {
    return this.value === null ? null : this.number();
  }

  optionalNumber(name: string): number | undefined {
    return this.has(name) ? this.get(name).number() : undefined;
  }

  optionalFlag(name: string): boolean {
    if (!this.has(name)) {
      return false;
    }
    const { value } = this.get(name);
    return typeof value === "boolean" ? value : this.get(name).fail("not true or false");
  }

  oneOf<T extends string>(words: readonly T[]): T {
    return (
      words.find((word) => word === this.value) ??
      this.fail(`unknown value ${JSON.stringify(this.value)} -> one of ${words.join(", ")}`)
    );
  }

  private object(): Record<string, unknown> {
    return typeof this.value === "object" && this.value !== null && !Array.isArray(this.value)
      ? (this.value as Record<string, unknown>)
      : this.fail("not an object");
  }
}
