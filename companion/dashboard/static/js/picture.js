// A drawing saved as a picture: painted on a canvas as large as a screen, and handed over as PNG.

const WIDTH_PX = 1600;

export async function savePicture(svg, title) {
  const [, , w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
  const copy = svg.cloneNode(true);
  copy.setAttribute("width", String(WIDTH_PX));
  copy.setAttribute("height", String(Math.round((WIDTH_PX * h) / w)));
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  URL.revokeObjectURL(url);
  const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(png);
  link.download = `${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
