// What a reader would complain of: text that is hard to read, cut off, or written over other text.
(() => {
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);

  function luminance(colour) {
    const [r, g, b] = numbers(colour).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function background(element) {
    for (let node = element; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      const alpha = numbers(colour)[3];
      if (alpha === undefined || alpha === 1) return colour;
    }
    return "rgb(255, 255, 255)";
  }

  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && element.checkVisibility();
  };
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  // Return the fill of the last opaque shape that is drawn below the middle of a text of a chart.
  const shapeBelow = (element) => {
    if (!(element instanceof SVGElement)) return undefined;
    const text = element.getBoundingClientRect();
    const [x, y] = [text.left + text.width / 2, text.top + text.height / 2];
    const below = [...element.ownerSVGElement.querySelectorAll("path, rect")].filter((shape) => {
      const style = getComputedStyle(shape);
      const box = shape.getBoundingClientRect();
      const isOpaque = style.fill !== "none" && style.opacity * style.fillOpacity > 0.9;
      return isOpaque && style.fill.startsWith("rgb(") && box.left <= x && x <= box.right &&
        box.top <= y && y <= box.bottom &&
        shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
    });
    return below.length ? getComputedStyle(below.at(-1)).fill : undefined;
  };

  const name = (element) =>
    `${element.closest("[id]")?.id}: ${element.tagName} ${element.textContent.trim().slice(0, 40)}`;

  const texts = [...document.body.querySelectorAll("*")].filter(
    (element) => !element.closest("script, style, option") && hasText(element) && isSeen(element));
  const pale = texts.filter((element) => {
    const style = getComputedStyle(element);
    const ink = element instanceof SVGElement ? style.fill : style.color;
    const [one, other] = [luminance(ink), luminance(shapeBelow(element) ?? background(element))].sort((a, b) => b - a);
    return (one + 0.05) / (other + 0.05) < 4.5;
  });

  const cut = [];
  const over = [];
  for (const svg of document.querySelectorAll(".picture svg")) {
    if (!isSeen(svg)) continue;
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")].filter(isSeen)
      .map((element) => ({element, box: element.getBoundingClientRect()}));
    for (const {element, box} of labels) {
      if (box.left < frame.left - 2 || box.right > frame.right + 2 ||
          box.top < frame.top - 2 || box.bottom > frame.bottom + 2) cut.push(name(element));
    }
    const slanted = labels.filter(({element}) => /rotate/.test(element.getAttribute("transform")))
      .map(({element}) => {
        const {a, b, e, f} = element.getScreenCTM();
        return {element, x: e, y: f, cosine: a / Math.hypot(a, b), sine: b / Math.hypot(a, b)};
      });
    slanted.forEach(({element, x, y, cosine, sine}, n) => {
      for (const next of slanted.slice(n + 1)) {
        const [across, along] = [next.x - x, next.y - y];
        const apart = Math.abs(along * cosine - across * sine);
        const beyond = Math.abs(across * cosine + along * sine);
        const {width, height} = element.getBBox();
        if (apart < height * 0.65 && beyond < width) {
          over.push(`${name(element)} / ${next.element.textContent}`);
        }
      }
    });
    const upright = labels.filter(({element}) => !/rotate/.test(element.getAttribute("transform")));
    upright.forEach(({element, box}, n) => {
      for (const {element: other, box: next} of upright.slice(n + 1)) {
        const across = Math.min(box.right, next.right) - Math.max(box.left, next.left);
        const along = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top);
        if (across > 2 && along > 4) over.push(`${name(element)} / ${other.textContent}`);
      }
    });
  }
  for (const element of document.querySelectorAll("main *, header *")) {
    const style = getComputedStyle(element);
    if (isSeen(element) && style.overflowX === "visible" && !(element instanceof SVGElement) &&
        element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0 &&
        !element.closest(".wide, select")) cut.push(name(element));
  }
  const unnamed = [...document.querySelectorAll("select, [role=img], [role=region], section")]
    .filter((element) => !(element.labels?.length || element.getAttribute("aria-label") ||
      document.getElementById(element.getAttribute("aria-labelledby"))?.textContent.trim()))
    .map(name);
  return {
    pale: pale.map(name), cut, over, unnamed,
    tooWide: document.documentElement.scrollWidth > innerWidth,
  };
})()
