// Gives WebKit, the engine of Safari, the zoom of the CSS standard, with which the deck and its views reckon. WebKit
// 2.50 tells sizes and places of an element inside a zoomed one as if nothing was zoomed, and has no property for the
// zoom.
"use strict";
if (!("currentCSSZoom" in Element.prototype)) {
  const zoomOf = (element) => (element ? (getComputedStyle(element).zoom || 1) * zoomOf(element.parentElement) : 1);
  Object.defineProperty(Element.prototype, "currentCSSZoom", {
    get() {
      const zoom = zoomOf(this);
      return this instanceof SVGTextContentElement ? zoom * zoom : zoom; // its font-size is told divided by the zoom
    },
  });
  const told = Element.prototype.getBoundingClientRect;
  Element.prototype.getBoundingClientRect = function () {
    const { x, y, width, height } = told.call(this);
    const zoom = zoomOf(this);
    return new DOMRect(x * zoom, y * zoom, width * zoom, height * zoom);
  };
}
